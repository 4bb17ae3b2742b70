package dev.lychgate.config;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The protection of a listener against individual clients.
 *
 * @param allow the names of the address lists that contain accepted clients; empty = all clients are accepted
 * @param deny the names of the address lists that contain refused clients
 * @param exempt the names of the address lists that contain exempt clients: no limit and no ban applies to these
 *     clients
 * @param connections the maximum number of connections that a client may have open; 0 = no limit
 * @param connectionRate the maximum rate at which a client may open connections; null = no limit
 * @param requests the maximum number of requests that a client may have in progress; 0 = no limit
 * @param streams the maximum number of HTTP/2 streams that a client may have open; 0 = no limit
 * @param ban the rule that bans clients by their share of errors; null = none
 * @param mode whether the limits and the rule in {@code ban} are enforced
 */
public record ClientProtectionConfig(
        List<String> allow,
        List<String> deny,
        List<String> exempt,
        int connections,
        @Nullable Rate connectionRate,
        int requests,
        int streams,
        @Nullable BanRuleConfig ban,
        RateLimitConfig.Mode mode) {
    private static final Form<List<String>> LISTS = Form.oneOrList(Form.NAMED);

    private static final Key<List<String>> ALLOW = Key.typed("allow", LISTS, List.of())
            .absent("all clients")
            .about("the names of the [address lists](client-protection.md#address-lists) of accepted clients; all "
                    + "other clients are refused");
    private static final Key<List<String>> DENY = Key.typed("deny", LISTS, List.of())
            .absent("no clients")
            .about("the names of the address lists of refused clients; they are refused even if a list of `allow` "
                    + "contains them");
    private static final Key<List<String>> EXEMPT = Key.typed("exempt", LISTS, List.of())
            .absent("no clients")
            .about("the names of the address lists of clients to which no limit and no ban applies");
    private static final Key<Integer> CONNECTIONS = Key.number("connections", 0)
            .unit("connections")
            .between(0, 1_000_000)
            .absent("no limit")
            .about("the maximum number of open connections of a client; further connections are closed at once; `0` "
                    + "= no limit");
    private static final Key<Rate> CONNECTION_RATE = Key.<Rate>typed(
                    "connection-rate",
                    Form.text("connections per time", Rate::parse).looking("[1-9][0-9]{0,11}/([1-9][0-9]{0,3})?[smhd]"),
                    null)
            .absent("no limit")
            .about("the maximum rate of new connections of a client: `20/s`, or `100/10s` for 10 per second with "
                    + "bursts of up to 100; further connections are closed at once");
    private static final Key<Integer> REQUESTS = Key.number("requests", 0)
            .unit("requests")
            .between(0, 1_000_000)
            .absent("no limit")
            .about("the maximum number of running requests of a client, on all its connections; further requests "
                    + "are rejected with 429; `0` = no limit");
    private static final Key<Integer> STREAMS = Key.number("streams", 0)
            .unit("streams")
            .between(0, 1_000_000)
            .absent("no limit")
            .about("the maximum number of open HTTP/2 streams of a client, on all its connections; further streams "
                    + "are refused with `REFUSED_STREAM`; `0` = no limit");
    private static final Key<BanRuleConfig> BAN = Key.section("ban", null, () -> BanRuleConfig.KEYS)
            .absent("no client is banned by its errors")
            .about(
                    "the rule that [bans](client-protection.md#bans) a client whose requests fail too often; `{}` for the defaults");
    private static final Key<RateLimitConfig.Mode> MODE = Key.choice("mode", RateLimitConfig.Mode.ENFORCE)
            .about("`enforce` = the limits and the rule of `ban` apply; `shadow` = the gateway only counts how often "
                    + "the limits and the rule would apply. `allow` and `deny` apply in both modes");

    static final Keys<ClientProtectionConfig> KEYS = Keys.of(
            ClientProtectionConfig::new,
            ALLOW,
            DENY,
            EXEMPT,
            CONNECTIONS,
            CONNECTION_RATE,
            REQUESTS,
            STREAMS,
            BAN,
            MODE);

    /** No protection: a configuration without lists, limits and bans. */
    public static final ClientProtectionConfig NONE = KEYS.defaults();

    public ClientProtectionConfig {
        KEYS.check(allow, deny, exempt, connections, connectionRate, requests, streams, ban, mode);
        allow = Expect.copy(allow);
        deny = Expect.copy(deny);
        exempt = Expect.copy(exempt);
    }

    /** Returns the names of all address lists. */
    Stream<String> lists() {
        return Stream.of(allow, deny, exempt).flatMap(List::stream);
    }

    /**
     * Returns this protection with other values for some components.
     *
     * @param change names of components, each followed by its value
     */
    public ClientProtectionConfig with(Object... change) {
        return Copy.of(this, change);
    }
}
