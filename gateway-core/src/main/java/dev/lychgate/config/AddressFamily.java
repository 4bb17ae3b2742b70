package dev.lychgate.config;

/** The IP addresses of a host name that become endpoints. */
public enum AddressFamily {
    /**
     * The IPv4 addresses. The IPv6 addresses are used only if the name has no IPv4 address, so a dual-stack host is one
     * endpoint.
     */
    EITHER,
    /** The IPv4 addresses (A records). */
    IPV4,
    /** The IPv6 addresses (AAAA records). */
    IPV6,
    /** All addresses. */
    BOTH
}
