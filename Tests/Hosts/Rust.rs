// begin: the article shows these lines
use rusqlite::{Connection, LoadExtensionGuard, Result};

fn search(db: &Connection, words: &str) -> Result<Vec<(String, String)>> {
    let sql = "SELECT highlight(book, 0, '[', ']'), title FROM book(?) ORDER BY rank LIMIT 10";
    db.prepare(sql)?.query_map([words], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

fn open(path: &str) -> Result<Connection> {
    let db = Connection::open(path)?;
    unsafe {
        let _guard = LoadExtensionGuard::new(&db)?;
        db.load_extension("./concordance", None)?;
    }
    Ok(db)
}
// end

use rusqlite::types::ValueRef;

fn run(db: &Connection, line: &str) -> Result<()> {
    let mut statement = db.prepare(line)?;
    let count = statement.column_count();
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let mut texts = Vec::new();
        for column in 0..count {
            texts.push(match row.get_ref(column)? {
                ValueRef::Null => String::new(),
                ValueRef::Integer(value) => value.to_string(),
                ValueRef::Real(value) => value.to_string(),
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            });
        }
        println!("{}", texts.join("|"));
    }
    Ok(())
}

fn main() -> Result<()> {
    let db = open("library.db")?;
    for (author, title) in search(&db, "grossmann")? {
        println!("{author} {title}");
    }
    for line in std::fs::read_to_string("statements.sql").unwrap().lines() {
        if !line.is_empty() && !line.starts_with("--") {
            if let Err(error) = run(&db, line) {
                println!("{error}");
            }
        }
    }
    Ok(())
}
