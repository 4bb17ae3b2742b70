package dev.lychgate.server.origin;

import io.netty.buffer.ByteBuf;

/** The answer to one request, told what comes in. On the connection's event loop only. */
interface Answer {
    /** A part of the request's body; the answer's to release. */
    default void onBody(ByteBuf part) {
        part.release();
    }

    /** The request has been read whole. */
    void onEnd();

    /** The connection takes more again. */
    default void onWritable() {}

    /** The connection is gone; nothing more may be written. */
    default void onGone() {}
}
