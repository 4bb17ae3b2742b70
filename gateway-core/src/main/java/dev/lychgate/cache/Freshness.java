package dev.lychgate.cache;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The freshness of a stored response. The age of a response advances with a monotonic clock, so that a correction of
 * the system clock neither extends nor ends the lifetime of stored responses. The system clock is used only to compute
 * the initial age when a response arrives.
 *
 * @param lifetime the time for which the response is fresh, in seconds
 * @param initialAge the age of the response when it arrived, in seconds
 * @param since the time at which the response arrived, in nanoseconds of the monotonic clock
 * @param date the time at which the origin created the response, in seconds since 1970-01-01T00:00:00Z
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9111#section-4.2">RFC 9111, 4.2 Freshness</a>
 */
record Freshness(long lifetime, long initialAge, long since, long date) {
    /** A heuristic lifetime is the time since the last modification, divided by this number (RFC 9111, 4.2.2). */
    private static final int HEURISTIC_PART = 10;

    private static final long LONGEST_HEURISTIC = TimeUnit.DAYS.toSeconds(1);

    /**
     * The times of a request and its response.
     *
     * @param requested the time at which the request was sent, in nanoseconds of the monotonic clock
     * @param responded the time at which the response head arrived, in nanoseconds of the monotonic clock
     * @param wallClock the time at which the response head arrived, in seconds since 1970-01-01T00:00:00Z
     */
    record Times(long requested, long responded, long wallClock) {}

    /** The lifetimes in the settings of a route, in seconds; {@link CacheControl#ABSENT} if a lifetime is not set. */
    record Settings(long ttl, long defaultTtl) {
        static final Settings NONE = new Settings(CacheControl.ABSENT, CacheControl.ABSENT);
    }

    /** Computes the freshness of a response that arrives now. */
    static Freshness of(CacheControl directives, HttpHeaders headers, int status, Settings settings, Times times) {
        long stated = date(headers, HttpHeaderNames.DATE, times.wallClock);
        long date = stated == HttpTime.MALFORMED ? times.wallClock : stated;
        long apparent = Math.max(0, times.wallClock - date);
        long delay = TimeUnit.NANOSECONDS.toSeconds(Math.max(0, times.responded - times.requested));
        long initial = Math.min(CacheControl.MOST, Math.max(apparent, age(headers) + delay));
        long lifetime = lifetime(directives, headers, status, settings, date, times.wallClock);
        return new Freshness(lifetime, initial, times.responded, date);
    }

    private static long lifetime(
            CacheControl directives, HttpHeaders headers, int status, Settings settings, long date, long now) {
        if (settings.ttl != CacheControl.ABSENT) {
            return settings.ttl;
        }
        long explicit = explicit(directives, headers, date, now);
        if (explicit != CacheControl.ABSENT) {
            return explicit;
        }
        if (!Storability.isHeuristicallyCacheable(status) && !directives.isPublic()) {
            return 0;
        }
        if (settings.defaultTtl != CacheControl.ABSENT) {
            return settings.defaultTtl;
        }
        long modified = date(headers, HttpHeaderNames.LAST_MODIFIED, now);
        return modified == HttpTime.MALFORMED
                ? 0
                : Math.min(LONGEST_HEURISTIC, Math.max(0, date - modified) / HEURISTIC_PART);
    }

    /** Returns the lifetime that the response states, in seconds; {@link CacheControl#ABSENT} if it states none. */
    private static long explicit(CacheControl directives, HttpHeaders headers, long date, long now) {
        if (directives.sharedMaxAge() != CacheControl.ABSENT) {
            return directives.sharedMaxAge();
        }
        if (directives.maxAge() != CacheControl.ABSENT) {
            return directives.maxAge();
        }
        if (directives.isTargeted() || !headers.contains(HttpHeaderNames.EXPIRES)) {
            return CacheControl.ABSENT;
        }
        long expires = date(headers, HttpHeaderNames.EXPIRES, now);
        // A malformed value, such as 0, is in the past (RFC 9111, 5.3).
        return expires == HttpTime.MALFORMED ? 0 : Math.min(CacheControl.MOST, Math.max(0, expires - date));
    }

    /** Returns whether the response states its lifetime. */
    static boolean isExplicit(CacheControl directives, HttpHeaders headers) {
        return directives.sharedMaxAge() != CacheControl.ABSENT
                || directives.maxAge() != CacheControl.ABSENT
                || (!directives.isTargeted() && headers.contains(HttpHeaderNames.EXPIRES));
    }

    /**
     * Returns the date in a field; {@link HttpTime#MALFORMED} if the field is absent or malformed, or occurs twice with
     * different values.
     */
    private static long date(HttpHeaders headers, CharSequence name, long now) {
        List<String> fields = headers.getAll(name);
        for (String other : fields) {
            if (!other.equals(fields.get(0))) {
                return HttpTime.MALFORMED;
            }
        }
        return fields.isEmpty() ? HttpTime.MALFORMED : HttpTime.parse(fields.get(0), now);
    }

    /** Returns the first value of {@code Age}, in seconds; 0 if it is absent or malformed (RFC 9111, 5.1). */
    private static long age(HttpHeaders headers) {
        String field = headers.get(HttpHeaderNames.AGE);
        if (field == null) {
            return 0;
        }
        int comma = field.indexOf(',');
        return Math.max(0, CacheControl.seconds((comma < 0 ? field : field.substring(0, comma)).strip()));
    }

    /**
     * Returns the age of the response, in seconds. {@code now} is the current time of the monotonic clock, in
     * nanoseconds.
     */
    long age(long now) {
        return Math.min(CacheControl.MOST, initialAge + TimeUnit.NANOSECONDS.toSeconds(Math.max(0, now - since)));
    }

    /** Returns the remaining lifetime of the response, in seconds; 0 or negative if the response is stale. */
    long remaining(long now) {
        return lifetime - age(now);
    }

    /**
     * Returns whether the response may be sent without validation.
     *
     * @param request the directives of the request; null if the route ignores them
     */
    boolean isFresh(long now, @Nullable CacheControl request) {
        long left = remaining(now);
        if (request == null) {
            return left > 0;
        }
        if (request.maxAge() != CacheControl.ABSENT && age(now) > request.maxAge()) {
            return false;
        }
        return left > Math.max(0, request.minFresh());
    }
}
