// Lucene as a peer of the engine: indexes documents, asks each query for its best ten, and prints what both took.
//
// usage: java -cp LUCENE.jar LuceneBenchmark.java DOCUMENTS QUERIES FOLDER
//   DOCUMENTS: a line each, id TAB title TAB body; QUERIES: a line each, op TAB term TAB term ...
//   prints "name NAME", "build SECONDS", "bytes COUNT", and for each query, in its order, "query SECONDS"

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.Version;

public class LuceneBenchmark {
    static final String FIELD = "text";

    public static void main(String[] arguments) throws Exception {
        System.out.println("name\tLucene " + Version.LATEST);
        Path folder = Path.of(arguments[2]);
        try (MMapDirectory directory = new MMapDirectory(folder)) {
            build(directory, Path.of(arguments[0]));
            long bytes = 0;
            for (String name : directory.listAll()) bytes += directory.fileLength(name);
            System.out.println("bytes\t" + bytes);
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                searcher.setQueryCache(null);
                List<Query> queries = new ArrayList<>();
                for (String line : Files.readAllLines(Path.of(arguments[1]))) queries.add(query(line.split("\t")));
                // The virtual machine compiles what runs often: every query of the kind, many times, before any is timed.
                for (int round = 0; round < 30; round++) for (Query query : queries) searcher.search(query, 10);
                for (Query query : queries) System.out.println("query\t" + seconds(searcher, query));
            }
        }
    }

    static void build(MMapDirectory directory, Path documents) throws Exception {
        IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
        config.setRAMBufferSizeMB(64);
        long nanoseconds = 0;
        IndexWriter writer = new IndexWriter(directory, config);
        try (BufferedReader reader = Files.newBufferedReader(documents)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                String[] columns = line.split("\t", 3);
                long start = System.nanoTime();
                Document document = new Document();
                document.add(new NumericDocValuesField("id", Long.parseLong(columns[0])));
                document.add(new TextField(FIELD, columns[1] + " " + columns[2], Field.Store.NO));
                writer.addDocument(document);
                nanoseconds += System.nanoTime() - start;
            }
        }
        long start = System.nanoTime();
        writer.close();
        nanoseconds += System.nanoTime() - start;
        System.out.println("build\t" + nanoseconds / 1e9);
    }

    static Query query(String[] parts) {
        List<Query> terms = new ArrayList<>();
        for (int index = 1; index < parts.length; index++) {
            Term term = new Term(FIELD, parts[index]);
            boolean isPrefix = parts[0].endsWith("prefix") && index == parts.length - 1;
            terms.add(isPrefix ? new PrefixQuery(term) : new TermQuery(term));
        }
        if (parts[0].equals("phrase")) return new PhraseQuery(FIELD, Arrays.copyOfRange(parts, 1, parts.length));
        if (terms.size() == 1) return terms.get(0);
        BooleanQuery.Builder builder = new BooleanQuery.Builder();
        for (Query term : terms) builder.add(term, parts[0].equals("or") ? Occur.SHOULD : Occur.MUST);
        return builder.build();
    }

    /** The median of rounds of at least two milliseconds each, the first of which is not timed. */
    static double seconds(IndexSearcher searcher, Query query) throws Exception {
        long start = System.nanoTime();
        searcher.search(query, 10);
        long once = Math.max(System.nanoTime() - start, 100);
        int repetitions = (int) Math.max(1, Math.min(200, 2_000_000 / once));
        double[] times = new double[once < 20_000_000 ? 9 : 5];
        for (int round = 0; round < times.length; round++) {
            searcher.search(query, 10);
            start = System.nanoTime();
            for (int repetition = 0; repetition < repetitions; repetition++) searcher.search(query, 10);
            times[round] = (System.nanoTime() - start) / 1e9 / repetitions;
        }
        Arrays.sort(times);
        return times[times.length / 2];
    }
}
