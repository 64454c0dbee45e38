"""tantivy as a peer of the engine: indexes documents, asks each query for its best ten, and prints what both took.

usage: tantivy_benchmark.py DOCUMENTS QUERIES FOLDER
  DOCUMENTS: a line each, id TAB title TAB body; QUERIES: a line each, op TAB term TAB term ...
  prints "name NAME", "build SECONDS", "bytes COUNT", and for each query, in its order, "query SECONDS"
"""

import importlib.metadata
import os
import re
import statistics
import sys
import time

import tantivy

FIELD = "text"


def build(documents, folder):
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("id", fast=True)
    builder.add_text_field(FIELD, stored=False, tokenizer_name="default", index_option="position")
    os.makedirs(folder)
    index = tantivy.Index(builder.build(), path=folder)
    seconds = 0.0
    writer = index.writer(heap_size=64_000_000, num_threads=1)
    with open(documents, encoding="utf-8", newline="\n") as lines:
        for line in lines:
            identifier, title, body = line.rstrip("\n").split("\t", 2)
            start = time.perf_counter()
            document = tantivy.Document(id=int(identifier))
            document.add_text(FIELD, title + " " + body)
            writer.add_document(document)
            seconds += time.perf_counter() - start
    start = time.perf_counter()
    writer.commit()
    writer.wait_merging_threads()
    seconds += time.perf_counter() - start
    print(f"build\t{seconds}")
    index.reload()
    return index


def make_query(schema, op, terms):
    queries = [tantivy.Query.term_query(schema, FIELD, term, "freq") for term in terms]
    if op in ("prefix", "andprefix"):
        queries[-1] = tantivy.Query.regex_query(schema, FIELD, re.escape(terms[-1]) + ".*")
    if op == "phrase":
        return tantivy.Query.phrase_query(schema, FIELD, list(terms))
    if len(queries) == 1:
        return queries[0]
    occur = tantivy.Occur.Should if op == "or" else tantivy.Occur.Must
    return tantivy.Query.boolean_query([(occur, query) for query in queries])


def seconds(searcher, query):
    """The median of rounds of at least two milliseconds each, the first of which is not timed."""
    searcher.search(query, 10, count=False)
    start = time.perf_counter()
    searcher.search(query, 10, count=False)
    once = max(time.perf_counter() - start, 1e-7)
    repetitions = int(max(1, min(200, 0.002 / once)))
    times = []
    for _ in range(9 if once < 0.02 else 5):
        searcher.search(query, 10, count=False)
        start = time.perf_counter()
        for _ in range(repetitions):
            searcher.search(query, 10, count=False)
        times.append((time.perf_counter() - start) / repetitions)
    return statistics.median(times)


def main(documents, queries, folder):
    print(f"name\ttantivy-py {importlib.metadata.version('tantivy')}")
    index = build(documents, folder)
    print(f"bytes\t{sum(entry.stat().st_size for entry in os.scandir(folder))}")
    searcher = index.searcher()
    with open(queries, encoding="utf-8") as lines:
        for line in lines:
            op, *terms = line.rstrip("\n").split("\t")
            print(f"query\t{seconds(searcher, make_query(index.schema, op, terms))}")


main(*sys.argv[1:])
