use strict;
use warnings;

# begin: the article shows these lines
use DBI;

my $db = DBI->connect("dbi:SQLite:library.db", "", "", { RaiseError => 1, sqlite_unicode => 1 });
$db->sqlite_enable_load_extension(1);
$db->sqlite_load_extension("./concordance");
my $sql = "SELECT highlight(book, 0, '[', ']'), title FROM book(?) ORDER BY rank LIMIT 10";
binmode STDOUT, ":utf8";
print "@$_\n" for @{ $db->selectall_arrayref($sql, undef, "grossmann") };
# end

$db->{PrintError} = 0;
open my $file, "<:encoding(UTF-8)", "statements.sql" or die $!;
while (my $line = <$file>) {
    next if $line =~ /^(--|$)/;
    eval {
        my $statement = $db->prepare($line);
        $statement->execute;
        while ($statement->{NUM_OF_FIELDS} and my $row = $statement->fetchrow_arrayref) {
            print join("|", map { $_ // "" } @$row), "\n";
        }
    };
    print $@ if $@;
}
