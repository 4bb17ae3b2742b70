package dev.lychgate.exchange;

import dev.lychgate.cache.BodyReader;
import dev.lychgate.http.BodySink;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response that the gateway itself has produced or stored. Empty if the response comes from an origin, or
 * if filters hold the body. This object owns the bytes until they are sent.
 */
final class LocalBody {
    /** No body. */
    static final LocalBody NONE = new LocalBody(null, null);

    private @Nullable ByteBuf whole;
    private @Nullable BodyReader stored;

    private LocalBody(@Nullable ByteBuf whole, @Nullable BodyReader stored) {
        this.whole = whole;
        this.stored = stored;
    }

    /** Holds the body of a response of the gateway. Owns {@code body}. */
    static LocalBody whole(ByteBuf body) {
        return new LocalBody(body, null);
    }

    /** Holds the body of a stored response. Owns {@code body}. */
    static LocalBody stored(BodyReader body) {
        return new LocalBody(null, body);
    }

    boolean isHeld() {
        return whole != null || stored != null;
    }

    boolean isWhole() {
        return whole != null;
    }

    boolean isStored() {
        return stored != null;
    }

    /**
     * Sends the body.
     *
     * @param awaits whether to stop when the client is slow
     * @return whether the body is complete
     */
    boolean send(BodySink to, boolean awaits) {
        ByteBuf all = whole;
        if (all != null) {
            whole = null;
            to.sendBody(all);
            return true;
        }
        BodyReader body = stored;
        while (body != null && body.hasNext()) {
            to.sendBody(body.next());
            if (body.hasNext() && awaits && !to.isWritable()) {
                return false;
            }
        }
        drop();
        return true;
    }

    /** Releases the bytes. May be called more than once. */
    void drop() {
        ByteBuf all = whole;
        whole = null;
        if (all != null) {
            all.release();
        }
        BodyReader body = stored;
        stored = null;
        if (body != null) {
            body.close();
        }
    }
}
