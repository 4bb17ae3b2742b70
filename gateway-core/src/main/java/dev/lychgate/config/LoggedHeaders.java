package dev.lychgate.config;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Header fields that go into the access log, where its lines are JSON.
 */
public record LoggedHeaders(List<String> request, List<String> response) {
    private static final Key<List<String>> REQUEST =
            Key.list("request", Form.FIELD_NAME).atMost(16).about("of requests, as they were when the exchange ended");

    private static final Key<List<String>> RESPONSE =
            Key.list("response", Form.FIELD_NAME).atMost(16).about("of answers");

    static final Keys<LoggedHeaders> KEYS = Keys.of(LoggedHeaders::new, REQUEST, RESPONSE);

    public static final LoggedHeaders NONE = KEYS.defaults();

    public LoggedHeaders {
        KEYS.check(request, response);
        request = checked("request", request);
        response = checked("response", response);
    }

    private static List<String> checked(String key, List<String> names) {
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            Expect.that(seen.add(name.toLowerCase(Locale.ROOT)), key, name, "each name once");
        }
        return List.copyOf(names);
    }
}
