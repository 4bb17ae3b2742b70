package dev.lychgate.upstream;

import dev.lychgate.config.DnsConfig;

/**
 * One DNS lookup of an upstream. Questions with different settings are not equal, because two generations may look up
 * one name at different servers at the same time and must not share results.
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
     * Returns whether both questions concern the same name, so that they may have the same addresses despite different
     * settings.
     */
    boolean isForSameAs(DnsQuestion other) {
        return kind == other.kind && name.equals(other.name) && dns.addresses() == other.dns.addresses();
    }
}
