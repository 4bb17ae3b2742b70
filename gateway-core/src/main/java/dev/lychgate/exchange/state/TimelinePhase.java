package dev.lychgate.exchange.state;

import java.util.List;
import java.util.Locale;

/**
 * What an exchange spends its time with. The phases of one exchange follow each other without gaps and overlap nowhere, but
 * for {@link #CONNECT}, which is a part of {@link #CONNECTION}: together they are its whole duration. One that ends early
 * ends in the phase that it has come to.
 */
public enum TimelinePhase {
    /** From the request's head until its first attempt begins, or until it is answered without any: filters and route. */
    INBOUND,
    /** Attempts that came to nothing, and the pauses after them, until the last one begins; only where there are several. */
    ATTEMPTS,
    /** The last attempt's wait for a connection; nothing, where one was at hand. */
    CONNECTION,
    /** What of that the opening of the connection took, name and TLS included; only where one was opened. */
    CONNECT,
    /** From the connection until the client has sent the last of its body; only of requests that have one. */
    UPLOAD,
    /** From then on until the head of the origin's answer has come. */
    ORIGIN,
    /** From there until the head goes to the client: outbound filters, and bodies that these wait for. */
    OUTBOUND,
    /** From the answer's head to its last byte. */
    BODY;

    private static final List<TimelinePhase> ALL = List.of(values());

    /** How many there are. */
    public static final int COUNT = ALL.size();

    private final String label = name().toLowerCase(Locale.ROOT);

    /** All of them, in the order in which an exchange comes to them. */
    public static List<TimelinePhase> all() {
        return ALL;
    }

    /** Its place in arrays that hold one thing per phase, and are not kept beyond the process. */
    @SuppressWarnings("EnumOrdinal")
    public int index() {
        return ordinal();
    }

    /** As metrics and logs call it. */
    public String label() {
        return label;
    }
}
