package dev.lychgate.filters.testing;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** Reads the requests that were written to one connection, with their bodies, off its bytes. */
final class SentRequestReader implements AutoCloseable {
    private final EmbeddedChannel decoder = new EmbeddedChannel(new HttpRequestDecoder());
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private @Nullable HttpRequest head;

    /** Reads what there is. @return the request that is whole by now; null if none is */
    @Nullable
    SentRequest read(EmbeddedChannel connection) {
        for (ByteBuf sent = connection.readOutbound(); sent != null; sent = connection.readOutbound()) {
            decoder.writeInbound(sent);
        }
        for (Object part = decoder.readInbound(); part != null; part = decoder.readInbound()) {
            SentRequest whole = take(part);
            if (whole != null) {
                return whole;
            }
        }
        return null;
    }

    private @Nullable SentRequest take(Object part) {
        if (part instanceof HttpRequest request) {
            head = request;
        }
        if (part instanceof HttpContent content) {
            byte[] bytes = new byte[content.content().readableBytes()];
            content.content().readBytes(bytes);
            body.writeBytes(bytes);
            content.release();
        }
        HttpRequest begun = head;
        if (part instanceof LastHttpContent && begun != null) {
            head = null;
            SentRequest whole = new SentRequest(begun, body.toByteArray());
            body.reset();
            return whole;
        }
        return null;
    }

    @Override
    public void close() {
        decoder.finishAndReleaseAll();
    }
}
