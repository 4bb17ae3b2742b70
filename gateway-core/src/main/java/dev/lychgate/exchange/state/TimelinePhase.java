package dev.lychgate.exchange.state;

import java.util.List;
import java.util.Locale;

/**
 * The phases into which the duration of an exchange is divided. {@link #CONNECT} is a part of {@link #CONNECTION}. All
 * other phases follow each other without gap or overlap, so the sum of their times is the whole duration. If an
 * exchange ends early, the remaining time belongs to the phase in which it ended.
 */
public enum TimelinePhase {
    /** Filters and routing: from the request head to the first attempt or a local response. */
    INBOUND,
    /**
     * Failed attempts and their backoff, until the last attempt begins. Exchanges with a single attempt do not have
     * this phase.
     */
    ATTEMPTS,
    /** The time for which the last attempt waits for a connection; 0 if an idle connection was available. */
    CONNECTION,
    /**
     * The part of {@link #CONNECTION} in which a new connection is opened, including name resolution and TLS; exchanges
     * without a new connection do not have this phase.
     */
    CONNECT,
    /**
     * The time from the lease of the connection to the last byte of the request body; requests without a body do not
     * have this phase.
     */
    UPLOAD,
    /**
     * The time from the end of {@link #UPLOAD}, or from the lease if there is no upload, to the origin's response head.
     */
    ORIGIN,
    /**
     * The time of the outbound filters and of the bodies that they buffer: from the origin's response head until the
     * response head is written to the client.
     */
    OUTBOUND,
    /** The time from the write of the response head to the last byte of the response. */
    BODY;

    private static final List<TimelinePhase> ALL = List.of(values());

    /** Number of phases. */
    public static final int COUNT = ALL.size();

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Returns all phases in chronological order. */
    public static List<TimelinePhase> all() {
        return ALL;
    }

    /** Returns the index of this phase in arrays. Indexes may change between releases and must not be persisted. */
    @SuppressWarnings("EnumOrdinal")
    public int index() {
        return ordinal();
    }

    /** Returns the name of this phase in metrics and logs. */
    public String label() {
        return label;
    }
}
