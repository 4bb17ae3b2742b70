package dev.lychgate.filters.groovy;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Predicate;

/** The warnings of the compiler about filters, and the time that it spends on each file. Thread-safe. */
public final class CompileReport {
    private final Map<String, Long> nanos = new ConcurrentHashMap<>();
    private final Set<String> warnings = new ConcurrentSkipListSet<>();
    private final Set<Call> calls = ConcurrentHashMap.newKeySet();
    private volatile Duration total = Duration.ZERO;

    /**
     * The time of one file.
     *
     * @param time the time that the compiler spent on the file, on one thread
     */
    public record OfFile(String file, Duration time) {}

    private record Call(String upstream, FilterFault place) {}

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

    void calls(String upstream, FilterFault place) {
        calls.add(new Call(upstream, place));
    }

    /**
     * Returns a warning for each upstream that a filter calls by a constant name and that is not configured.
     *
     * @param configured returns whether an upstream, or the origin of a URL, is configured
     */
    public List<String> unknownUpstreams(Predicate<String> configured) {
        return calls.stream()
                .filter(call -> !configured.test(call.upstream))
                .map(call -> new FilterFault(
                        call.place.file(),
                        call.place.line(),
                        call.place.column(),
                        "the filter calls " + call.upstream + ", which is not configured, so each call fails"))
                .sorted(FilterFault.BY_POSITION)
                .map(FilterFault::toString)
                .toList();
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
