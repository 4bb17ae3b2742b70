package dev.lychgate.client;

import java.util.Locale;

/** The reasons for which a connection, a request or a stream of a client is refused. */
public enum ClientRefusal {
    /** No list of {@code allow} contains the client. */
    NOT_ALLOWED,
    /** A list of {@code deny} contains the client. */
    DENIED,
    /** The client is banned. */
    BANNED,
    /** The client has too many open connections. */
    CONNECTIONS,
    /** The client opens connections too fast. */
    CONNECTION_RATE,
    /** The client has too many running requests. */
    REQUESTS,
    /** The client has too many open streams. */
    STREAMS;

    /** Returns the name of this reason in metrics and logs, such as {@code connection-rate}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns whether the reason is a limit. With {@code mode: shadow}, connections and requests beyond a limit are
     * counted, but not refused.
     */
    boolean isOfLimit() {
        return this != NOT_ALLOWED && this != DENIED && this != BANNED;
    }
}
