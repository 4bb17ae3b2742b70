package dev.lychgate.access;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts authentications by authenticator and result. A gateway has one instance for all sections and all generations.
 * Thread-safe.
 */
public final class AuthenticationCounts {
    /** The name under which a request is counted if no authenticator of the section has found credentials. */
    public static final String NONE = "none";

    /** The result of an authentication. */
    public enum Result {
        /** The credentials are valid. */
        ACCEPTED,
        /** The credentials are invalid or malformed, or their sender has no access. */
        REFUSED,
        /** The authenticator has responded, for example with a redirect. */
        RESPONDED,
        /** The credentials could not be verified, for example because a service does not respond. */
        FAILED,
        /** The request has no credentials, and was rejected. */
        MISSING,
        /** The request has no credentials, and none are required. */
        ANONYMOUS;

        /** Returns the name of this result in metrics. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Map<String, Map<Result, LongAdder>> all = new ConcurrentHashMap<>();

    /** Returns the counters of an authenticator since the start of the gateway. */
    Map<Result, LongAdder> of(String authenticator) {
        return all.computeIfAbsent(authenticator, name -> {
            Map<Result, LongAdder> counters = new EnumMap<>(Result.class);
            for (Result result : Result.values()) {
                counters.put(result, new LongAdder());
            }
            return counters;
        });
    }

    /** Returns the counts that are not zero, by the name of the authenticator and the result. */
    public Map<String, Map<Result, Long>> read() {
        Map<String, Map<Result, Long>> read = new TreeMap<>();
        all.forEach((name, counters) -> {
            Map<Result, Long> counts = new EnumMap<>(Result.class);
            counters.forEach((result, count) -> {
                long sum = count.sum();
                if (sum > 0) {
                    counts.put(result, sum);
                }
            });
            read.put(name, counts);
        });
        return read;
    }
}
