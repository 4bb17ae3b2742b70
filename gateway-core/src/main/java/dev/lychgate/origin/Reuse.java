package dev.lychgate.origin;

/**
 * Decides whether an origin connection may carry another request. All of the following conditions must be met.
 * Otherwise, the connection is closed, because the next response might not belong to the next request.
 *
 * <ul>
 *   <li>The previous request and its final response are complete, without surplus bytes.
 *   <li>Neither side has requested a close.
 *   <li>The connection is not upgraded.
 * </ul>
 *
 * <p>The events of one exchange are {@link #begin}, then {@link #requestEnd} and {@link #responseHead} in any order,
 * then {@link #responseEnd}. Interim responses are not reported.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-9.3">RFC 9112, 9.3 Persistence</a>
 */
final class Reuse {
    private enum Progress {
        /** The connection carries no exchange. */
        IDLE,
        /** The request is being sent. */
        SENDING,
        /** The request has been sent; the response is incomplete. */
        SENT,
        /** The response is complete; the request is still being sent. */
        ANSWERED,
        /** Request and response are complete. */
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

    /** Records the start of a request. */
    void begin() {
        if (progress != Progress.IDLE || spoiled) {
            throw new IllegalStateException("a request begins on a connection that is in use or not reusable");
        }
        progress = Progress.SENDING;
        persistent = false;
    }

    /** Records that the last byte of the request has been written. */
    void requestEnd() {
        progress = progress.afterRequest();
    }

    /**
     * Records the final response head.
     *
     * @param keepAlive whether the origin offers to keep the connection open
     */
    void responseHead(boolean keepAlive) {
        persistent = keepAlive;
    }

    /**
     * Records the end of the response.
     *
     * @param surplus whether bytes arrived after the end of the response
     */
    void responseEnd(boolean surplus) {
        progress = progress.afterResponse();
        if (surplus) {
            spoiled = true;
        }
    }

    /** Prevents reuse of the connection. Called after unsolicited bytes, an upgrade or an error. */
    void spoil() {
        spoiled = true;
    }

    boolean isExchanging() {
        return progress != Progress.IDLE;
    }

    boolean isRequestDone() {
        return progress == Progress.SENT || progress == Progress.DONE;
    }

    /** Returns whether the response is complete, or no response is awaited. */
    boolean isResponseDone() {
        return progress != Progress.SENDING && progress != Progress.SENT;
    }

    /**
     * Records the end of the exchange.
     *
     * @return whether the connection may carry another exchange
     */
    boolean finish() {
        boolean reusable = progress == Progress.DONE && persistent && !spoiled;
        progress = Progress.IDLE;
        if (!reusable) {
            spoiled = true;
        }
        return reusable;
    }
}
