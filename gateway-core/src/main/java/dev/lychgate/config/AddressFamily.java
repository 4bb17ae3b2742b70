package dev.lychgate.config;

/** Determines which IP addresses of a host name become endpoints. */
public enum AddressFamily {
    /**
     * The IPv4 addresses; the IPv6 addresses only if the name has no IPv4 address. A host with one address of each
     * family is therefore one endpoint, not two.
     */
    EITHER,
    /** The IPv4 addresses (A records). */
    IPV4,
    /** The IPv6 addresses (AAAA records). */
    IPV6,
    /** All addresses. */
    BOTH
}
