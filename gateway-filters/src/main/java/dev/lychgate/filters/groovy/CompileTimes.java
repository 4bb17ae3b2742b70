package dev.lychgate.filters.groovy;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Records the time that the compiler spends on each file. Thread-safe. */
public final class CompileTimes {
    private final Map<String, Long> nanos = new ConcurrentHashMap<>();
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
