import java.nio.file.Files;
import java.nio.file.Path;
// begin: the article shows these lines
import java.sql.*;
import org.sqlite.SQLiteConfig;

class Search {
    static Connection open(String path) throws SQLException {
        var config = new SQLiteConfig();
        config.enableLoadExtension(true);
        var db = DriverManager.getConnection("jdbc:sqlite:" + path, config.toProperties());
        db.createStatement().execute("SELECT load_extension('./concordance')");
        return db;
    }

    static ResultSet search(Connection db, String words) throws SQLException {
        var statement = db.prepareStatement(
            "SELECT highlight(book, 0, '[', ']'), title FROM book(?) ORDER BY rank LIMIT 10");
        statement.setString(1, words);
        return statement.executeQuery();
    }
}
// end

class Main {
    public static void main(String[] arguments) throws Exception {
        var db = Search.open("library.db");
        for (var rows = Search.search(db, "grossmann"); rows.next();) {
            System.out.println(rows.getString(1) + " " + rows.getString(2));
        }
        for (var line : Files.readAllLines(Path.of("statements.sql"))) {
            if (line.isEmpty() || line.startsWith("--")) continue;
            try (var statement = db.createStatement()) {
                if (!statement.execute(line)) continue;
                for (var rows = statement.getResultSet(); rows.next();) {
                    var texts = new String[rows.getMetaData().getColumnCount()];
                    for (int i = 0; i < texts.length; i++) {
                        texts[i] = rows.getString(i + 1) == null ? "" : rows.getString(i + 1);
                    }
                    System.out.println(String.join("|", texts));
                }
            } catch (SQLException error) {
                System.out.println(error.getMessage());
            }
        }
    }
}
