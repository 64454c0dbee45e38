# begin: the article shows these lines
require "sqlite3"

db = SQLite3::Database.new("library.db")
db.enable_load_extension(true)
db.load_extension("./concordance")
sql = "SELECT highlight(book, 0, '[', ']'), title FROM book(?) ORDER BY rank LIMIT 10"
db.execute(sql, ["grossmann"]) { |author, title| puts "#{author} #{title}" }
# end

File.foreach("statements.sql", encoding: "UTF-8", chomp: true) do |line|
  next if line.empty? || line.start_with?("--")

  db.execute(line) { |row| puts row.to_a.join("|") }
rescue SQLite3::Exception => e
  puts e.message
end
