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
    private boolean exchanging;
    private boolean requestDone;
    private boolean responseDone;
    private boolean persistent;
    private boolean spoiled;

    /** A request begins on this connection. */
    void begin() {
        if (exchanging || spoiled) {
            throw new IllegalStateException("a request begins on a connection that is in use or spoiled");
        }
        exchanging = true;
        requestDone = false;
        responseDone = false;
        persistent = false;
    }

    /** The last byte of the request has been handed to the connection. */
    void requestEnd() {
        requestDone = true;
    }

    /** The final head has come. @param keepAlive whether the origin offers to keep the connection */
    void responseHead(boolean keepAlive) {
        persistent = keepAlive;
    }

    /** The answer has been read to its end. @param surplus whether bytes beyond it have come */
    void responseEnd(boolean surplus) {
        responseDone = true;
        if (surplus) {
            spoiled = true;
        }
    }

    /** Something happened after which the connection can't be in step: bytes unasked, an upgrade, a fault. */
    void spoil() {
        spoiled = true;
    }

    boolean isExchanging() {
        return exchanging;
    }

    boolean isRequestDone() {
        return requestDone;
    }

    boolean isResponseDone() {
        return responseDone;
    }

    /** The exchange is over. @return whether the connection may carry another one */
    boolean finish() {
        boolean reusable = exchanging && requestDone && responseDone && persistent && !spoiled;
        exchanging = false;
        if (!reusable) {
            spoiled = true;
        }
        return reusable;
    }
}
