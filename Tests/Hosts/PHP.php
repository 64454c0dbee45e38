<?php
// begin: the article shows these lines
$db = new SQLite3("library.db");
$db->loadExtension("concordance.so");
$search = $db->prepare("SELECT highlight(book, 0, '[', ']'), title FROM book(?) ORDER BY rank LIMIT 10");
$search->bindValue(1, "grossmann");
$rows = $search->execute();
while ($row = $rows->fetchArray(SQLITE3_NUM)) echo $row[0], " ", $row[1], "\n";
// end

$rows->finalize();
foreach (file("statements.sql", FILE_IGNORE_NEW_LINES) as $line) {
    if ($line === "" || str_starts_with($line, "--")) continue;
    // `query` and `execute` run a statement once to see whether it fails, and again to fetch its rows: not for one that
    // changes something, which `exec` and `querySingle` run once.
    if (str_starts_with($line, "SELECT concordance_convert")) {
        echo $db->querySingle($line), "\n";
        continue;
    }
    $rows = @$db->query($line);
    if (!$rows) {
        echo $db->lastErrorMsg(), "\n";
        continue;
    }
    if ($rows->numColumns() > 0) {
        while ($row = $rows->fetchArray(SQLITE3_NUM)) echo implode("|", $row), "\n";
    }
    $rows->finalize();
}
