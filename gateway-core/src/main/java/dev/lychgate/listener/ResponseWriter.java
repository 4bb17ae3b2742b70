package dev.lychgate.listener;

import dev.lychgate.codec.MessageWriter;
import dev.lychgate.codec.RequestReader;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.http.WebSocket;
import dev.lychgate.loop.Loop;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/**
 * Writes responses for one client: determines framing and persistence independently of the origin, and adds a missing
 * {@code Date}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-6.3">RFC 9112, 6.3 Message Body Length</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-9.3">RFC 9112, 9.3 Persistence</a>
 */
final class ResponseWriter extends MessageWriter {
    private final Loop loop;
    private boolean http10;
    private boolean persistent;
    private boolean untilClose;

    ResponseWriter(RequestReader reader, ChannelPipeline pipeline, Loop loop) {
        super(reader, pipeline);
        this.loop = loop;
    }

    /**
     * Prepares the response to a new request.
     *
     * @param keep whether the client permits reuse of the connection
     */
    void expectAnswer(boolean toHttp10, boolean keep) {
        http10 = toHttp10;
        persistent = keep;
        untilClose = false;
    }

    /**
     * Closes the connection after this response. If the response head is already written, the head does not announce
     * the close.
     */
    void closeAfter() {
        persistent = false;
    }

    boolean isPersistent() {
        return persistent;
    }

    /** Returns whether the end of the connection marks the end of this response. */
    boolean isUntilClose() {
        return untilClose;
    }

    void informational(ResponseHead head) {
        response(head, BodyFraming.NONE, null);
    }

    void head(ResponseHead head) {
        BodyFraming framing = head.framing();
        if (framing == BodyFraming.CHUNKED && http10) {
            framing = BodyFraming.UNTIL_CLOSE;
        } else if (framing == BodyFraming.UNTIL_CLOSE && !http10) {
            framing = BodyFraming.CHUNKED;
        }
        if (framing == BodyFraming.UNTIL_CLOSE) {
            persistent = false;
            untilClose = true;
        }
        if (!head.headers().contains(HttpHeaderNames.DATE)) {
            head.headers()
                    .add(HttpHeaderNames.DATE, HttpDate.at(loop.deadlines().now()));
        }
        response(head, framing, connection());
    }

    /**
     * Accepts a WebSocket. All further writes are tunnel data.
     *
     * @param key the client's handshake key
     */
    void tunnel(ResponseHead head, String key) {
        persistent = false;
        head.headers().set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET);
        head.headers().set(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT, WebSocket.accept(key));
        response(head, BodyFraming.TUNNEL, HttpHeaderValues.UPGRADE);
    }

    private @Nullable AsciiString connection() {
        if (!persistent) {
            return HttpHeaderValues.CLOSE;
        }
        return http10 ? HttpHeaderValues.KEEP_ALIVE : null;
    }
}
