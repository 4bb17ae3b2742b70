package dev.lychgate.exchange.call;

import dev.lychgate.config.CompareConfig;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Records the response of the route's origin to a mirrored request. The body is recorded up to the maximum length of
 * compared bodies. Used on one event loop.
 */
final class PrimaryRecord {
    private final @Nullable CompareConfig compare;
    private final GrowingBytes body;
    private @Nullable ComparedResponse response;
    private boolean keepsBody;
    private boolean over;

    /**
     * Creates an empty record.
     *
     * @param compare the settings of the comparison; null if responses are not compared
     * @param budget sets the total number of reserved bytes; returns false if the budget has no room
     */
    PrimaryRecord(@Nullable CompareConfig compare, IntPredicate budget) {
        this.compare = compare;
        this.body =
                new GrowingBytes(budget, compare == null ? 0 : compare.body().asInt());
        this.over = compare == null;
    }

    /** Returns the number of bytes that are reserved. */
    int bytes() {
        return body.capacity();
    }

    /** Returns whether the recording has ended, so that later events are ignored. */
    boolean isOver() {
        return over;
    }

    /** Returns whether the body is recorded. */
    boolean needsBody() {
        return keepsBody && !over;
    }

    /** Returns the response; null if the response is not complete. */
    @Nullable
    ComparedResponse response() {
        return over ? response : null;
    }

    void onHead(ResponseHead received) {
        CompareConfig settings = compare;
        if (settings == null || over) {
            return;
        }
        response = ComparedResponse.of(received, settings);
        keepsBody = settings.body().bytes() > 0
                && (received.framing() != BodyFraming.LENGTH || body.fits(received.contentLength()));
    }

    void onChunk(ByteBuf chunk) {
        if (!needsBody()) {
            return;
        }
        boolean fits = body.fits((long) body.length() + chunk.readableBytes());
        if (!fits || !body.add(chunk)) {
            keepsBody = false;
            body.release();
        }
    }

    void onEnd() {
        ComparedResponse known = response;
        if (known != null && needsBody()) {
            response = known.with(body.toArray());
        }
        over = true;
    }

    /**
     * Ends the record, because the exchange has ended. An incomplete response is dropped and not compared; a complete
     * response is kept.
     */
    void onCut() {
        if (!over) {
            drop();
            body.release();
        }
    }

    /** Drops the record without releasing its memory in the budget. */
    void drop() {
        response = null;
        body.clear();
        over = true;
    }
}
