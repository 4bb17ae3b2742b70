package dev.lychgate.zuul;

import com.netflix.zuul.message.ZuulMessage;
import dev.lychgate.filter.BodyTransform;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/** Passes the chunks of a body to a filter of Zuul 2, on the event loop. */
final class ChunkTransform implements BodyTransform {
    private static final byte[] NOTHING = {};

    private final MessageCode code;
    private final ZuulMessage message;

    ChunkTransform(MessageCode code, ZuulMessage message) {
        this.code = code;
        this.message = message;
    }

    @Override
    public byte[] piece(byte[] piece) {
        return bytes(code.filter().processContentChunk(message, new DefaultHttpContent(Unpooled.wrappedBuffer(piece))));
    }

    @Override
    public byte[] end() {
        return bytes(code.filter().processContentChunk(message, LastHttpContent.EMPTY_LAST_CONTENT));
    }

    /**
     * Returns the content of a chunk, and releases the chunk.
     *
     * @param chunk null if the filter drops the chunk
     */
    private static byte[] bytes(@Nullable HttpContent chunk) {
        if (chunk == null) {
            return NOTHING;
        }
        byte[] bytes = ByteBufUtil.getBytes(chunk.content());
        chunk.release();
        return bytes;
    }
}
