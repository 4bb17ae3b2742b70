package dev.lychgate.config;

/** Which addresses of a host name are endpoints. */
public enum AddressFamily {
    /** Its IPv4 addresses; its IPv6 addresses only if it has no other: a host of both is one endpoint, not two. */
    EITHER,
    /** Its IPv4 addresses (A records). */
    IPV4,
    /** Its IPv6 addresses (AAAA records). */
    IPV6,
    /** All of them. */
    BOTH
}
