package dev.lychgate.config;

import java.time.Duration;
import java.util.List;

/** The WebSocket settings of a route. */
public record WebSocketConfig(
        List<String> origins, boolean requireOrigin, Duration idle, Duration lifetime, int connections) {
    private static final String ORIGIN =
            "\\*|null|[a-z][a-z0-9+.-]*://(\\*\\.)?([a-z0-9._-]+|\\[[0-9a-f:.]+])(:\\d{1,5})?";

    private static final Key<List<String>> ORIGINS = Key.list(
                    "origins",
                    Form.text("origin", text -> text)
                            .matching(
                                    ORIGIN,
                                    "an origin in lower case, such as https://example.com or https://*.example.com; or "
                                            + "null or *"))
            .absent("the request's host")
            .about("the accepted values of `Origin`: `https://example.com`, `https://*.example.com` for all names "
                    + "below `example.com`, `null`, or `*` for any value");

    private static final Key<Boolean> REQUIRE_ORIGIN = Key.flag("require-origin", false)
            .about("rejects handshakes without `Origin`; only browsers reliably send this field");
    private static final Key<Duration> IDLE =
            Key.duration("idle", "5m").about("the longest time in which neither side sends a byte; `0` = no limit");
    private static final Key<Duration> LIFETIME = Key.duration("lifetime", "0")
            .about("the maximum time from the handshake to the end of the WebSocket; `0` = no limit");
    private static final Key<Integer> CONNECTIONS = Key.number("connections", 10_000)
            .unit("WebSockets")
            .between(1, 1_000_000)
            .about("the maximum number of open WebSockets, per process; further handshakes are rejected with 503");

    static final Keys<WebSocketConfig> KEYS =
            Keys.of(WebSocketConfig::new, ORIGINS, REQUIRE_ORIGIN, IDLE, LIFETIME, CONNECTIONS);

    public static final WebSocketConfig DEFAULT = KEYS.defaults();

    /** Reads a section, or a flag that enables the defaults. */
    static final Form<WebSocketConfig> FORM =
            Form.section(WebSocketConfig.KEYS).or(Form.FLAG.meaning(takes -> takes ? DEFAULT : null));

    public WebSocketConfig {
        KEYS.check(origins, requireOrigin, idle, lifetime, connections);
        origins = Expect.copy(origins);
    }
}
