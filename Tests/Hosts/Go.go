package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"strings"
)

// begin: the article shows these lines
import (
	"database/sql"

	"github.com/mattn/go-sqlite3"
)

func init() {
	sql.Register("sqlite3_concordance", &sqlite3.SQLiteDriver{Extensions: []string{"./concordance"}})
}

func search(db *sql.DB, words string) (author, title string, err error) {
	row := db.QueryRow("SELECT highlight(book, 0, '[', ']'), title FROM book(?) ORDER BY rank LIMIT 1", words)
	err = row.Scan(&author, &title)
	return
}

// end

func run(db *sql.DB, statement string) error {
	rows, err := db.Query(statement)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	for rows.Next() {
		values := make([]sql.NullString, len(columns))
		pointers := make([]any, len(columns))
		texts := make([]string, len(columns))
		for i := range values {
			pointers[i] = &values[i]
		}
		if err := rows.Scan(pointers...); err != nil {
			return err
		}
		for i := range values {
			texts[i] = values[i].String
		}
		fmt.Println(strings.Join(texts, "|"))
	}
	return rows.Err()
}

func main() {
	db, err := sql.Open("sqlite3_concordance", "library.db")
	if err != nil {
		log.Fatal(err)
	}
	author, title, err := search(db, "grossmann")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(author, title)
	// A transaction of several statements needs one connection.
	db.SetMaxOpenConns(1)
	file, err := os.Open("statements.sql")
	if err != nil {
		log.Fatal(err)
	}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if line := lines.Text(); line != "" && !strings.HasPrefix(line, "--") {
			if err := run(db, line); err != nil {
				fmt.Println(err)
			}
		}
	}
}
