package dev.lychgate.zuul;

import dev.lychgate.extension.FilterDialect;
import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.filters.groovy.FilterFault;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.FilterSource;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.zuul.CorpusResult.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Loads each file of a directory alone, with the libraries in {@code lib}. */
final class CorpusRun {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Path directory;
    private final FilterSources libraries;
    private final GroovyFilters filters = new GroovyFilters(LIMIT);

    private CorpusRun(Path directory, FilterSources libraries) {
        this.directory = directory;
        this.libraries = libraries;
    }

    /**
     * Loads all files with the suffixes of Groovy and Java.
     *
     * @param empty an empty directory
     */
    static List<CorpusResult> of(Path directory, Path empty) throws Exception {
        Path jars = directory.resolve("lib");
        FilterSources libraries = new FilterDirectory(empty, Files.isDirectory(jars) ? jars : null).read();
        CorpusRun run = new CorpusRun(directory, libraries);
        List<CorpusResult> results = new ArrayList<>();
        for (Path file : files(directory)) {
            results.add(run.load(file));
        }
        return results;
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(each -> each.toString().endsWith(".groovy")
                            || each.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
    }

    private CorpusResult load(Path file) throws IOException, InterruptedException {
        String name = directory.relativize(file).toString();
        // Malformed characters are in comments only.
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        FilterSource source = new FilterSource("pre/" + file.getFileName(), text);
        FilterSources sources = new FilterSources(List.of(source), libraries.libraries(), List.of(), List.of(), name);
        FilterDialect dialect = ZuulGateway.dialect(Map.of());
        String reason = dialect.leftOut(source.path(), text);
        if (reason != null) {
            return new CorpusResult(name, Outcome.LEFT_OUT, List.of(reason));
        }
        try {
            filters.build(sources, LIMIT, null, Map.of(), dialect).close();
            return new CorpusResult(name, Outcome.LOADED, List.of());
        } catch (FilterFaultsException e) {
            List<String> messages =
                    e.faults().stream().map(FilterFault::toString).toList();
            boolean failed = messages.stream()
                    .anyMatch(each -> each.contains("the build failed") || each.contains("the compiler failed"));
            return new CorpusResult(name, failed ? Outcome.FAILED : Outcome.REFUSED, messages);
        } catch (RuntimeException | LinkageError e) {
            return new CorpusResult(name, Outcome.FAILED, List.of(e.toString()));
        }
    }
}
