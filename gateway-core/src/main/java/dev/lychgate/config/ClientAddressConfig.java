package dev.lychgate.config;

import java.util.Locale;
import java.util.Set;

/** The rule by which a listener determines the client address of a request from a trusted proxy. */
public record ClientAddressConfig(String header, int hops) {
    public static final String FORWARDED_FOR = "x-forwarded-for";
    public static final String FORWARDED = "forwarded";

    /** The maximum of {@code hops}. It is larger than the number of consecutive proxies in any realistic deployment. */
    public static final int MOST_HOPS = 32;

    private static final String EXPECTED_HEADER =
            "x-forwarded-for, forwarded, or a header that contains only client addresses, such as x-real-ip";

    /** Headers that never carry the client address, because they have other purposes. */
    private static final Set<String> NO_ADDRESS = Set.of(
            "accept",
            "authorization",
            "cookie",
            "origin",
            "proxy-authenticate",
            "proxy-authorization",
            "referer",
            "user-agent",
            "via",
            "x-forwarded-host",
            "x-forwarded-port",
            "x-forwarded-proto",
            "x-request-id");

    private static final Key<String> HEADER = Key.typed("header", Form.FIELD_NAME, FORWARDED_FOR)
            .about("the one header in which the proxies record the client's address: `x-forwarded-for`, `forwarded` "
                    + "(RFC 7239), or another header that contains only addresses, such as `x-real-ip`");

    private static final Key<Integer> HOPS = Key.number("hops", 0)
            .between(0, 32)
            .about("the position of the client's address in this header, counted from the right; 0 = the last entry "
                    + "that is not one of `trusted-proxies`");

    static final Keys<ClientAddressConfig> KEYS = Keys.of(ClientAddressConfig::new, HEADER, HOPS);

    /** The default rule: the client is the last entry of {@code X-Forwarded-For} that is not a trusted proxy. */
    public static final ClientAddressConfig DEFAULT = KEYS.defaults();

    public ClientAddressConfig {
        KEYS.check(header, hops);
        header = header.toLowerCase(Locale.ROOT);
        Expect.that(!OwnFields.isReserved(header) && !NO_ADDRESS.contains(header), "header", header, EXPECTED_HEADER);
        Expect.that(header.indexOf('_') < 0, "header", header, "a name with hyphens instead of underscores");
    }

    /**
     * Returns whether this equals {@link #DEFAULT}. Avoids the generated {@code equals}: linking it at the first use
     * would add 20 ms to the startup time.
     */
    boolean isDefault() {
        return hops == 0 && header.equals(FORWARDED_FOR);
    }
}
