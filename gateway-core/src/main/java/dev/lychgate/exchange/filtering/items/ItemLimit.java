package dev.lychgate.exchange.filtering.items;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Side;
import dev.lychgate.filter.BodyRefusal;

/**
 * The longest item of a body, and the failures of bodies: failures of requests are the client's, failures of responses are the
 * filter's.
 *
 * @param side the sender of the body
 * @param item an item, with its article
 */
record ItemLimit(Side side, String item, int max) {
    ItemLimit {
        if (max < 1) {
            throw new IllegalArgumentException(item + " of at most " + max + " bytes (expected: 1 or more)");
        }
    }

    void require(int length) {
        if (length > max) {
            throw failure(ErrorKind.BODY_TOO_LARGE, "has " + item + " of more than " + max + " bytes");
        }
    }

    /** @param what malformed JSON, with its position */
    RuntimeException malformed(String what) {
        return failure(ErrorKind.MALFORMED_REQUEST, "has " + what);
    }

    private RuntimeException failure(ErrorKind kind, String what) {
        return side == Side.DOWNSTREAM
                ? new BodyRefusal(GatewayError.downstream(kind, "the request body " + what))
                : new IllegalStateException("the response body " + what);
    }
}
