# begin: the article shows these lines
package require sqlite3

sqlite3 db library.db
db enable_load_extension 1
db eval {SELECT load_extension('./concordance')}
set words "grossmann"
db eval {SELECT highlight(book, 0, '[', ']') AS author, title FROM book($words) ORDER BY rank LIMIT 10} {
    puts "$author $title"
}
# end

fconfigure stdout -encoding utf-8
set file [open statements.sql]
fconfigure $file -encoding utf-8
while {[gets $file line] >= 0} {
    if {$line eq "" || [string match "--*" $line]} continue
    if {[catch {
        db eval $line row {
            puts [join [lmap column $row(*) {set row($column)}] "|"]
        }
    } message]} { puts $message }
}
