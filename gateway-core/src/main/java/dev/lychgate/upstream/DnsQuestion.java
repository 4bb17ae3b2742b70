package dev.lychgate.upstream;

import dev.lychgate.config.DnsConfig;

/**
 * One DNS lookup of an upstream. Different settings make different questions: two generations may use different servers for
 * one name at the same time, and must not share results.
 *
 * @param dns settings of the lookup
 */
public record DnsQuestion(Kind kind, String name, DnsConfig dns) {
    /** Kind of name. */
    public enum Kind {
        HOST,
        SERVICE
    }

    /** Returns whether both concern the same name and may have the same addresses, regardless of other settings. */
    boolean isForSameAs(DnsQuestion other) {
        return kind == other.kind && name.equals(other.name) && dns.addresses() == other.dns.addresses();
    }
}
