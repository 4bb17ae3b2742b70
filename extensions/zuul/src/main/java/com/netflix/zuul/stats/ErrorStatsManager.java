package com.netflix.zuul.stats;

import com.netflix.zuul.context.RequestContext;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts failures by route and cause, for filters that read the counts. The metrics of the gateway do not contain these
 * counts. At most 1000 pairs of a route and a cause are counted.
 */
public class ErrorStatsManager {
    private static final int MOST = 1000;
    private static final ErrorStatsManager INSTANCE = new ErrorStatsManager();

    private final Map<String, ErrorStatsData> counts = new ConcurrentHashMap<>();

    public static ErrorStatsManager getManager() {
        return INSTANCE;
    }

    /** Returns the count of errors with this cause on this route; null if none has been counted. */
    public @Nullable ErrorStatsData getStats(String route, String cause) {
        return counts.get(key(name(route), cause));
    }

    /**
     * Counts a failure.
     *
     * @param route the group of the request; null for the path of the current request
     */
    public void putStats(@Nullable String route, String cause) {
        String name = name(
                route == null ? RequestContext.getCurrentContext().getRequest().getRequestURI() : route);
        String key = key(name, cause);
        ErrorStatsData known = counts.get(key);
        if (known == null && counts.size() < MOST) {
            known = counts.computeIfAbsent(key, absent -> new ErrorStatsData(name, cause));
        }
        if (known != null) {
            known.update();
        }
    }

    private static String name(String route) {
        return route.replace('/', '_');
    }

    private static String key(String name, String cause) {
        return name + " " + cause;
    }
}
