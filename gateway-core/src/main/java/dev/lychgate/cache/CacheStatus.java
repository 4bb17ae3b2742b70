package dev.lychgate.cache;

import org.jspecify.annotations.Nullable;

/**
 * The entry of this gateway in the response field {@code Cache-Status}. The entry follows the entries of caches that
 * are closer to the origin.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9211">RFC 9211, The Cache-Status HTTP Response Header Field</a>
 */
final class CacheStatus {
    static final String NAME = "cache-status";

    private static final String OWN = "Lychgate";

    private @Nullable String forward;
    private int status;
    private boolean collapsed;
    private boolean overloaded;

    /** Records that the request is forwarded to the origin. {@code reason} is a token of RFC 9211, 2.2. */
    void forwarded(String reason) {
        forward = reason;
    }

    /** Sets the status with which the origin responded to a validation. */
    void status(int code) {
        status = code;
    }

    /** Records that the request has waited for another request, and gets the response to that other request. */
    void collapsed() {
        collapsed = true;
    }

    /** Records that the response is sent because of overload, although it is stale. */
    void overloaded() {
        overloaded = true;
    }

    /**
     * Returns the entry for a stored response.
     *
     * @param hit whether the request was not forwarded
     * @param ttl the remaining lifetime in seconds, negative if the response is stale
     */
    String ofStored(boolean hit, long ttl) {
        StringBuilder member = new StringBuilder(48).append(OWN);
        if (hit) {
            member.append("; hit");
        } else {
            member.append("; fwd=").append(forward == null ? "uri-miss" : forward);
        }
        if (status != 0) {
            member.append("; fwd-status=").append(status);
        }
        if (collapsed) {
            member.append("; collapsed");
        }
        member.append("; ttl=").append(ttl);
        return overloaded ? member.append("; detail=overload").toString() : member.toString();
    }

    /** Returns the entry for a response of the origin. */
    String ofOrigin(int code, Storability decision) {
        String reason = forward == null ? "uri-miss" : forward;
        String member = OWN + "; fwd=" + reason + "; fwd-status=" + code;
        return decision == Storability.STORED ? member + "; stored" : member + "; detail=" + decision.label();
    }
}
