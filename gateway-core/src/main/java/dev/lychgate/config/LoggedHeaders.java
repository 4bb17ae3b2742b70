package dev.lychgate.config;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Header fields that go into the access log, where its lines are JSON.
 *
 * @param request of requests; at most 16, default none
 * @param response of answers; at most 16, default none
 */
public record LoggedHeaders(List<String> request, List<String> response) {
    private static final int MOST = 16;

    public static final LoggedHeaders NONE = new LoggedHeaders(List.of(), List.of());

    public LoggedHeaders {
        request = checked("request", request);
        response = checked("response", response);
    }

    private static List<String> checked(String key, List<String> names) {
        Expect.that(names.size() <= MOST, key, names.size() + " names", "at most " + MOST);
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            Expect.fieldName(key, name);
            Expect.that(seen.add(name.toLowerCase(Locale.ROOT)), key, name, "each name once");
        }
        return List.copyOf(names);
    }

    public boolean isNone() {
        return request.isEmpty() && response.isEmpty();
    }
}
