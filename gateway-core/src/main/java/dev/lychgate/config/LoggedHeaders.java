package dev.lychgate.config;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The header fields that JSON lines of the access log contain. */
public record LoggedHeaders(List<String> request, List<String> response) {
    private static final Key<List<String>> REQUEST = Key.list("request", Form.FIELD_NAME)
            .atMost(16)
            .about("the request fields to log, with their values at the end of the exchange");

    private static final Key<List<String>> RESPONSE =
            Key.list("response", Form.FIELD_NAME).atMost(16).about("the response fields to log");

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
