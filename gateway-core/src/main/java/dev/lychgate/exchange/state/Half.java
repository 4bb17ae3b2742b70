package dev.lychgate.exchange.state;

/** The state of one direction of an exchange. The request and the response each have such a state. */
public enum Half {
    /** The head has not arrived or has not been processed. */
    HEAD,
    /** The head has been processed, and the body is being transferred. */
    BODY,
    /** The message is complete. */
    DONE,
    /** The message is aborted, and the rest of the message is discarded. */
    ABORTED;

    /**
     * Returns whether a half may change from this state to {@code next}. A complete request can become {@link
     * #ABORTED}, because malformed bytes after the request prevent the reuse of the client's connection.
     */
    boolean leadsTo(Half next) {
        return switch (this) {
            case HEAD -> next != HEAD;
            case BODY -> next == DONE || next == ABORTED;
            case DONE -> next != HEAD && next != BODY;
            case ABORTED -> next == ABORTED;
        };
    }
}
