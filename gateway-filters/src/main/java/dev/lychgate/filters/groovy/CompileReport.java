package dev.lychgate.filters.groovy;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** The warnings of the compiler about filters, and the time that it spends on each file. Thread-safe. */
public final class CompileReport {
    private final Map<String, Long> nanos = new ConcurrentHashMap<>();
    private final Set<String> warnings = new ConcurrentSkipListSet<>();
    private volatile Duration total = Duration.ZERO;

    /**
     * The time of one file.
     *
     * @param time the time that the compiler spent on the file, on one thread
     */
    public record OfFile(String file, Duration time) {}

    void add(String file, long more) {
        nanos.merge(file, more, Long::sum);
    }

    void warn(FilterFault warning) {
        warnings.add(warning.toString());
    }

    /** Returns the warnings about the compiled files, each with its file and line. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** Sets the time of the whole compilation. */
    void total(Duration time) {
        total = time;
    }

    /** Returns the number of Groovy files that were compiled. */
    public int files() {
        return nanos.size();
    }

    /** Returns the time from the beginning of the compilation to its end. */
    public Duration total() {
        return total;
    }

    public List<OfFile> slowest(int most) {
        return nanos.entrySet().stream()
                .map(one -> new OfFile(one.getKey(), Duration.ofNanos(one.getValue())))
                .sorted(Comparator.comparing(OfFile::time).reversed().thenComparing(OfFile::file))
                .limit(most)
                .toList();
    }
}
