package dev.lychgate.config;

import static dev.lychgate.config.Key.list;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Header fields that go into the access log, where its lines are JSON.
 */
public record LoggedHeaders(List<String> request, List<String> response) {
    private static final Key<List<String>> REQUEST =
            list("request", Form.FIELD_NAME).atMost(16).about("of requests, as they were when the exchange ended");

    private static final Key<List<String>> RESPONSE =
            list("response", Form.FIELD_NAME).atMost(16).about("of answers");

    public static final LoggedHeaders NONE = read(Key.DEFAULTS);

    public LoggedHeaders {
        REQUEST.check(request);
        RESPONSE.check(response);
        request = checked("request", request);
        response = checked("response", response);
    }

    /** Reads a section. */
    static LoggedHeaders read(Key.Values values) {
        return new LoggedHeaders(values.get(REQUEST), values.get(RESPONSE));
    }

    private static List<String> checked(String key, List<String> names) {
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            Expect.that(seen.add(name.toLowerCase(Locale.ROOT)), key, name, "each name once");
        }
        return List.copyOf(names);
    }

    public boolean isNone() {
        return request.isEmpty() && response.isEmpty();
    }
}
