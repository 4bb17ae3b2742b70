package dev.lychgate.exchange.filtering.items;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Side;
import dev.lychgate.filter.BodyRefusal;

/**
 * The maximum length of the items of a body. This class also creates the exceptions for malformed bodies and for items
 * that are too long. A failure in a request body counts as an error of the client; a failure in a response body counts
 * as a failure of the filter.
 *
 * @param side the sender of the body
 * @param item the name of an item for messages, such as {@code a line}
 * @param max the maximum length of an item, in bytes
 */
record ItemLimit(Side side, String item, int max) {
    ItemLimit {
        if (max < 1) {
            throw new IllegalArgumentException("the limit for " + item + " is " + max + " bytes (expected: 1 or more)");
        }
    }

    void require(int length) {
        if (length > max) {
            throw failure(ErrorKind.BODY_TOO_LARGE, "has " + item + " of more than " + max + " bytes");
        }
    }

    /**
     * Returns the failure for malformed JSON.
     *
     * @param what describes the malformed JSON and its position
     */
    RuntimeException malformed(String what) {
        return failure(ErrorKind.MALFORMED_REQUEST, "has " + what);
    }

    private RuntimeException failure(ErrorKind kind, String what) {
        return side == Side.DOWNSTREAM
                ? new BodyRefusal(GatewayError.downstream(kind, "the request body " + what))
                : new IllegalStateException("the response body " + what);
    }
}
