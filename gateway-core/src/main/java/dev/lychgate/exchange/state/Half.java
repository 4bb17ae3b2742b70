package dev.lychgate.exchange.state;

/** The progress of one direction of an exchange: the request has one, the response has one. */
public enum Half {
    /** The head has not arrived, or has not been processed. */
    HEAD,
    /** The head is processed; the body is in transfer. */
    BODY,
    /** Complete. */
    DONE,
    /** Aborted: the rest is discarded. */
    ABORTED;

    /**
     * Returns whether a half may change from this state to {@code next}. A complete request is aborted if the bytes after it
     * are malformed, because its connection can't be reused.
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
