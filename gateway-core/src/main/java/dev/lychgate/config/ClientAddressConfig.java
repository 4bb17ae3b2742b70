package dev.lychgate.config;

import java.util.Locale;
import java.util.Set;

/**
 * How a listener determines the client of a request that a trusted proxy sent.
 *
 * @param header the request header in which the proxies record the client, in lower case; default
 *     {@code x-forwarded-for}. {@code forwarded} is parsed as RFC 7239 defines it, any other header as a list of addresses
 * @param hops position of the client in that list, counted from the right: 1 is the last entry; 0 = the last entry that is
 *     not one of the trusted proxies, the default
 */
public record ClientAddressConfig(String header, int hops) {
    public static final String FORWARDED_FOR = "x-forwarded-for";
    public static final String FORWARDED = "forwarded";

    /** More proxies in a row than any deployment has. */
    public static final int MOST_HOPS = 32;

    private static final String EXPECTED_HEADER =
            "x-forwarded-for, forwarded, or a header that holds nothing but client addresses, such as x-real-ip";

    /** Headers that clients send for other purposes, or that carry other facts about a request. */
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

    /** The last entry of {@code X-Forwarded-For} that is not one of the trusted proxies. */
    public static final ClientAddressConfig DEFAULT = new ClientAddressConfig(FORWARDED_FOR, 0);

    public ClientAddressConfig {
        Expect.fieldName("header", header);
        header = header.toLowerCase(Locale.ROOT);
        Expect.that(!OwnFields.isReserved(header) && !NO_ADDRESS.contains(header), "header", header, EXPECTED_HEADER);
        Expect.that(header.indexOf('_') < 0, "header", header, "a name with hyphens instead of underscores");
        Expect.between(0, MOST_HOPS, "hops", hops);
    }
}
