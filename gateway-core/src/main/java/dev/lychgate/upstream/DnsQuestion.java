package dev.lychgate.upstream;

import dev.lychgate.config.DnsConfig;

/**
 * What DNS is asked for one upstream. Who asks otherwise asks another question: two generations that are in the making or in
 * use at the same time may ask other servers for one name, and neither is to hear what was said to the other.
 *
 * @param dns how it is asked
 */
public record DnsQuestion(Kind kind, String name, DnsConfig dns) {
    /** What a name is the name of. */
    public enum Kind {
        HOST,
        SERVICE
    }

    /** Whether both ask for the same, in whichever way. */
    boolean isForSameAs(DnsQuestion other) {
        return kind == other.kind && name.equals(other.name);
    }
}
