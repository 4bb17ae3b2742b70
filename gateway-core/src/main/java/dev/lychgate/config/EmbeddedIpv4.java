package dev.lychgate.config;

/**
 * Recognizes IPv6 addresses that contain the IPv4 address of a host:
 *
 * <ul>
 *   <li>IPv4-mapped addresses ({@code ::ffff:0:0/96})
 *   <li>the addresses that a NAT64 translator gives to IPv4 hosts ({@code 64:ff9b::/96})
 * </ul>
 *
 * <p>All addresses that a translator gives have the same first 64 bits. Without this class, all IPv4 hosts behind a
 * translator would therefore count as one client.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.2">RFC 4291, 2.5.5.2 IPv4-Mapped IPv6 Address</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6052#section-2.1">RFC 6052, 2.1 Well-Known Prefix</a>
 */
public final class EmbeddedIpv4 {
    private static final long MAPPED = 0xffff;
    private static final long TRANSLATED = 0x0064_ff9b_0000_0000L;

    private EmbeddedIpv4() {}

    /**
     * Returns whether the last 32 bits of an IPv6 address are an IPv4 address.
     *
     * @param upper the upper half of the address
     * @param lower the lower half of the address
     */
    public static boolean isIn(long upper, long lower) {
        return (upper == 0 && lower >>> 32 == MAPPED) || (upper == TRANSLATED && lower >>> 32 == 0);
    }
}
