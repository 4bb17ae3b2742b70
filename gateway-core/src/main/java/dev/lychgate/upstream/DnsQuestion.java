package dev.lychgate.upstream;

import dev.lychgate.config.DnsConfig;

/**
 * Identifies one DNS lookup of an upstream. Questions with different settings are not equal, because two generations
 * may look up one name at two servers, and must not share the results.
 *
 * @param dns settings of the lookup
 */
public record DnsQuestion(Kind kind, String name, DnsConfig dns) {
    /** The kind of name that is looked up. */
    public enum Kind {
        HOST,
        SERVICE
    }

    /**
     * Returns whether both questions are for the same name, so that they may have the same addresses even if their
     * settings differ.
     */
    boolean isForSameAs(DnsQuestion other) {
        return kind == other.kind && name.equals(other.name) && dns.addresses() == other.dns.addresses();
    }
}
