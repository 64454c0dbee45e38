-- What every host runs, one statement a line. A line `--> …` is a row of the statement above it, its columns joined by
-- `|`, NULL as nothing; `--! …` is part of the error that the statement ends with.

SELECT 'SQLite ' || sqlite_version();

-- A table of the engine: insert, search with a word, a prefix, a phrase, NEAR, a column, a typo, and no word at all.
CREATE VIRTUAL TABLE note USING concordance(title, body, folder VALUE, year VALUE, tokenize='concordance standard', prefix='1 2');
INSERT INTO note(rowid, title, body, folder, year) VALUES (1, 'Hans Großmann', 'Call about the weekly walk', 'people', 2024), (2, 'Walking in Nara', 'The deer walk up to people', 'travel', 2023), (3, '日本語 notes', 'Words to learn for the walk to the temple', 'travel', 2025), (4, 'Empty', NULL, NULL, NULL);
SELECT rowid, title FROM note WHERE note MATCH 'grossmann';
--> 1|Hans Großmann
SELECT rowid FROM note('wal*') ORDER BY rank, rowid;
--> 2
--> 1
--> 3
SELECT rowid FROM note('"weekly walk"');
--> 1
SELECT rowid FROM note('NEAR(deer people, 3)');
--> 2
SELECT rowid FROM note('title : walking OR body : temple') ORDER BY rowid;
--> 2
--> 3
SELECT rowid, highlight(note, 0, '[', ']') FROM note('grosmann~');
--> 1|Hans [Großmann]
SELECT snippet(note, 1, '[', ']', '…', 4), printf('%.6f', bm25(note, 10, 1)) FROM note('deer');
--> The [deer] walk up…|-0.783217
SELECT rowid FROM note('"unterminated');
--! unterminated string

-- Columns that the index stores: conditions, order, counts.
SELECT rowid FROM note WHERE note MATCH 'walk' AND folder = 'travel' AND year >= 2023 ORDER BY year DESC;
--> 3
--> 2
SELECT value, count FROM concordance_facets('note', 'walk', 'folder');
--> travel|2
--> people|1

-- Changes, and what a rollback leaves.
UPDATE note SET title = 'Hans Groß', year = 2026 WHERE rowid = 1;
SELECT count(*) FROM note('grossmann');
--> 0
DELETE FROM note WHERE rowid = 2;
SELECT rowid, year FROM note('walk') ORDER BY year;
--> 3|2025
--> 1|2026
BEGIN;
INSERT INTO note(title) VALUES ('soon gone');
SELECT count(*) FROM note('gone');
--> 1
ROLLBACK;
SELECT count(*) FROM note('gone');
--> 0

-- Commands.
INSERT INTO note(note) VALUES ('integrity-check');
INSERT INTO note(note) VALUES ('optimize');
INSERT INTO note(note) VALUES ('rebuild');
INSERT INTO note(note, rank) VALUES ('rank', 'bm25(10, 1)');
SELECT rowid FROM note('groß* OR temple') ORDER BY rank LIMIT 1;
--> 1

-- The texts stay in a table of the host's, which triggers follow.
CREATE TABLE song (id INTEGER PRIMARY KEY, name TEXT, words TEXT);
CREATE VIRTUAL TABLE songText USING concordance(name, words, content='song', content_rowid='id');
CREATE TRIGGER songAdded AFTER INSERT ON song BEGIN INSERT INTO songText(rowid, name, words) VALUES (new.id, new.name, new.words); END;
CREATE TRIGGER songGone AFTER DELETE ON song BEGIN INSERT INTO songText(songText, rowid, name, words) VALUES ('delete', old.id, old.name, old.words); END;
INSERT INTO song VALUES (7, 'Yesterday', 'all my troubles'), (8, 'Blackbird', 'singing in the dead of night');
DELETE FROM song WHERE id = 7;
SELECT id, highlight(songText, 1, '<b>', '</b>') FROM songText JOIN song ON song.id = songText.rowid WHERE songText MATCH 'night OR troubles';
--> 8|singing in the dead of <b>night</b>

-- A table of FTS5's becomes one of the engine.
CREATE VIRTUAL TABLE old USING fts5(text, tokenize='porter');
INSERT INTO old VALUES ('foxes run'), ('a fox sleeps'), ('nothing');
SELECT concordance_convert('old');
--> 1
SELECT rowid, highlight(old, 0, '[', ']') FROM old('fox') ORDER BY rowid;
--> 1|[foxes] run
--> 2|a [fox] sleeps
CREATE VIRTUAL TABLE oldWord USING concordancevocab(old, row);
SELECT term, doc, cnt FROM oldWord WHERE doc > 1;
--> fox|2|2
DROP TABLE oldWord;
DROP TABLE old;
SELECT count(*) FROM sqlite_schema WHERE name LIKE 'old%';
--> 0
