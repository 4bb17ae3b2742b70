package dev.lychgate.exchange.state;

import java.util.List;
import java.util.Locale;

/**
 * The phases of an exchange's duration. They follow each other without gap or overlap, and their sum is the whole duration.
 * The exception is {@link #CONNECT}, a part of {@link #CONNECTION}. An early end falls into the current phase.
 */
public enum TimelinePhase {
    /** From the request head until the first attempt or a local response: filters and routing. */
    INBOUND,
    /** Failed attempts and their backoff, until the last attempt begins; only for more than one attempt. */
    ATTEMPTS,
    /** The last attempt's wait for a connection; 0 if an idle one was available. */
    CONNECTION,
    /** Connect time within that wait, name resolution and TLS included; only for a new connection. */
    CONNECT,
    /** From the connection until the last byte of the request body; only for requests with a body. */
    UPLOAD,
    /** From then on until the head of the origin's response. */
    ORIGIN,
    /** From there until the head is written to the client: outbound filters and the bodies that they buffer. */
    OUTBOUND,
    /** From the response head to the last byte. */
    BODY;

    private static final List<TimelinePhase> ALL = List.of(values());

    /** Number of phases. */
    public static final int COUNT = ALL.size();

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Returns all phases in chronological order. */
    public static List<TimelinePhase> all() {
        return ALL;
    }

    /** Returns the index of the phase in arrays. Indexes are not stable across releases and must not be persisted. */
    @SuppressWarnings("EnumOrdinal")
    public int index() {
        return ordinal();
    }

    /** Returns the name in metrics and logs. */
    public String label() {
        return label;
    }
}
