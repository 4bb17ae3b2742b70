package dev.lychgate.config;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fixed response to requests that are rejected because of a long overload.
 *
 * @param after the time for which requests to an upstream must be rejected continuously before this response is sent
 */
public record OverloadPageConfig(
        Duration after,
        int status,
        Map<String, String> headers,
        @Nullable String body) {
    private static final Key<Duration> AFTER = Key.duration("after", "5s")
            .atLeast("100ms")
            .about(
                    "the time for which requests to an upstream must be rejected continuously; at least `brownout` and `stale.after`");
    private static final Key<Integer> STATUS =
            Key.number("status", 503).between(400, 599).about("the status of the response");
    private static final Key<Map<String, String>> HEADERS = Key.texts("headers", "field name")
            .about("the header fields of the response; the gateway adds `Cache-Control: no-store` and, with status "
                    + "503, `Retry-After`, unless these fields are listed here");
    private static final Key<String> BODY = Key.text("body").about("the body, sent as UTF-8");

    static final Keys<OverloadPageConfig> KEYS = Keys.of(OverloadPageConfig::new, AFTER, STATUS, HEADERS, BODY);

    public OverloadPageConfig {
        KEYS.check(after, status, headers, body);
        headers = new RouteAction.Respond(status, headers, body).headers();
    }

    /** Returns the fixed response. */
    public RouteAction.Respond respond() {
        return new RouteAction.Respond(status, headers, body);
    }
}
