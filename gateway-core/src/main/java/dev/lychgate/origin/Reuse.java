package dev.lychgate.origin;

/**
 * Decides whether an origin connection may carry another request. It may if, and only if, the request has been written
 * to its end, the final answer has been read to its end, neither side said close, no byte came beyond the end, and the
 * connection was not upgraded. Whatever else happens leaves it out of step, and it is closed.
 *
 * <p>Events of one exchange: {@link #begin} · {@link #requestEnd} and {@link #responseHead} in any order ·
 * {@link #responseEnd}. Interim answers are no event.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-9.3">RFC 9112, 9.3 Persistence</a>
 */
final class Reuse {
    /** How far the exchange under way has come. */
    private enum Progress {
        /** None is under way. */
        IDLE,
        /** The request is being sent. */
        SENDING,
        /** The request has been sent, and the end of the response is awaited. */
        SENT,
        /** The response has been read to its end before the request was sent to its own. */
        ANSWERED,
        /** Both are whole. */
        DONE;

        Progress afterRequest() {
            return this == SENDING ? SENT : this == ANSWERED ? DONE : this;
        }

        Progress afterResponse() {
            return this == SENDING ? ANSWERED : this == SENT ? DONE : this;
        }
    }

    private Progress progress = Progress.IDLE;
    private boolean persistent;
    private boolean spoiled;

    /** A request begins on this connection. */
    void begin() {
        if (progress != Progress.IDLE || spoiled) {
            throw new IllegalStateException("a request begins on a connection that is in use or spoiled");
        }
        progress = Progress.SENDING;
        persistent = false;
    }

    /** The last byte of the request has been handed to the connection. */
    void requestEnd() {
        progress = progress.afterRequest();
    }

    /** The final head has come. @param keepAlive whether the origin offers to keep the connection */
    void responseHead(boolean keepAlive) {
        persistent = keepAlive;
    }

    /** The answer has been read to its end. @param surplus whether bytes beyond it have come */
    void responseEnd(boolean surplus) {
        progress = progress.afterResponse();
        if (surplus) {
            spoiled = true;
        }
    }

    /** Something happened after which the connection can't be in step: bytes unasked, an upgrade, a fault. */
    void spoil() {
        spoiled = true;
    }

    boolean isExchanging() {
        return progress != Progress.IDLE;
    }

    boolean isRequestDone() {
        return progress == Progress.SENT || progress == Progress.DONE;
    }

    /** Whether the response has been read to its end, or none is awaited. */
    boolean isResponseDone() {
        return progress != Progress.SENDING && progress != Progress.SENT;
    }

    /** The exchange is over. @return whether the connection may carry another one */
    boolean finish() {
        boolean reusable = progress == Progress.DONE && persistent && !spoiled;
        progress = Progress.IDLE;
        if (!reusable) {
            spoiled = true;
        }
        return reusable;
    }
}
