package dev.lychgate.server.reload;

import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.IgnoredFile;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs warnings about accepted files, one time for each change. Used by one thread at a time; only {@link #ignored} is
 * thread-safe.
 */
final class FileWarnings {
    private final Logger log;
    private final Supplier<List<String>> compiler;
    private @Nullable FilterSources warned;
    private List<String> exposed = List.of();
    private volatile List<IgnoredFile> ignored = List.of();

    /**
     * @param log receives the warnings
     * @param compiler returns the warnings of the last compilation
     */
    FileWarnings(Logger log, Supplier<List<String>> compiler) {
        this.log = log;
        this.compiler = compiler;
    }

    /** Logs warnings about accepted files, unless the same warnings were logged for the same filters before. */
    void log(FilesRead files) {
        List<String> secrets = files.loaded().secrets().warnings();
        secrets.stream().filter(warning -> !exposed.contains(warning)).forEach(log::warn);
        exposed = secrets;
        FilterSources before = warned;
        FilterSources now = files.filters();
        warned = now;
        ignore(now == null ? List.of() : now.ignored());
        if (now == null
                || (before != null
                        && now.fingerprint().equals(before.fingerprint())
                        && now.warnings().equals(before.warnings()))) {
            return;
        }
        Stream.concat(now.warnings().stream(), compiler.get().stream())
                .forEach(warning -> log.warn("filters: {}", warning));
    }

    /** Logs each ignored file once. If an ignored file was deleted and created again, the file is logged again. */
    private void ignore(List<IgnoredFile> now) {
        List<IgnoredFile> before = ignored;
        ignored = now;
        now.stream().filter(file -> !before.contains(file)).forEach(file -> log.warn("filters: {}", file));
    }

    /** Returns the files of the filter directory that look like code but are not used. */
    List<IgnoredFile> ignored() {
        return ignored;
    }
}
