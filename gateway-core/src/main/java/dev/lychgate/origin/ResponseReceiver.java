package dev.lychgate.origin;

import dev.lychgate.codec.ResponseSink;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Loop;
import dev.lychgate.splice.SplicedPiece;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The receiving side of an {@link OriginConnection}. Reports the current response, or the reason why it failed, to the
 * listener.
 */
abstract class ResponseReceiver extends ChannelInboundHandlerAdapter implements ResponseSink, Silence.Awaiting {
    final Channel channel;
    final Reuse reuse = new Reuse();
    final Silence silence;
    final OriginReadControl reading;
    /** The control of the tunnel; null until the connection becomes a tunnel. */
    @Nullable
    Http1OriginTunnel tunnel;
    /**
     * The receiver of the current response; null while no response is awaited, and after the exchange has left the
     * connection.
     */
    @Nullable
    ResponseListener listener;
    /** True if the request expects a 100 (Continue), and neither its response nor its body has begun. */
    boolean awaitsContinue;

    ResponseReceiver(Loop loop, Channel channel) {
        this.channel = channel;
        this.silence = new Silence(loop.deadlines(), this);
        this.reading = new OriginReadControl(channel);
    }

    /** Turns the connection into a tunnel. */
    abstract Http1OriginTunnel becomeTunnel();

    // ---- decoder events

    @Override
    public final void onResponseHead(ResponseHead head, boolean persistent) {
        ResponseListener to = listener;
        if (to == null) {
            return;
        }
        if (head.isTunnel()) {
            tunnel = becomeTunnel();
            reuse.spoil();
            // The response timeouts do not apply to a tunnel.
            silence.onHead();
            silence.end();
            to.onResponseHead(head);
        } else if (head.isInformational()) {
            awaitsContinue = awaitsContinue && head.status() != 100;
            to.onInformational(head);
        } else {
            reuse.responseHead(persistent);
            silence.onHead();
            to.onResponseHead(head);
        }
    }

    @Override
    public final void onResponseBody(ByteBuf chunk) {
        reportSpliced();
        ResponseListener to = listener;
        if (to != null) {
            to.onResponseBody(chunk);
            return;
        }
        if (tunnel != null) {
            tunnel.onDiscarded(chunk.readableBytes());
        }
        chunk.release();
    }

    /** Delivers the chunks that were spliced during this read, before the next event. */
    private void reportSpliced() {
        for (SplicedPiece chunk = reading.nextSpliced(); chunk != null; chunk = reading.nextSpliced()) {
            ResponseListener to = listener;
            if (to != null) {
                to.onResponseBody(chunk);
            } else {
                chunk.release();
            }
        }
    }

    @Override
    public final void onResponseEnd(HttpHeaders trailers, boolean surplus) {
        reuse.responseEnd(surplus);
        ResponseListener to = listener;
        if (to != null) {
            to.onResponseEnd(trailers);
        }
    }

    @Override
    public final void onResponseMalformed(String detail) {
        fail(GatewayError.upstream(ErrorKind.MALFORMED_RESPONSE, Retry.NEVER, detail));
    }

    @Override
    public final void onUnsolicitedBytes() {
        // Unsolicited bytes (a 408 on an idle connection, a second response) must never be interpreted as the response
        // to the next request.
        reuse.spoil();
        if (!reuse.isExchanging() || reuse.isResponseDone()) {
            channel.close();
        }
    }

    // ---- channel events

    final void onReadComplete() {
        reportSpliced();
        ResponseListener to = listener;
        if (to != null) {
            to.onOriginReadComplete();
        }
    }

    final void onWritable() {
        ResponseListener to = listener;
        if (to != null) {
            to.onOriginWritable();
        }
    }

    /** Fails the exchange and closes the connection. */
    final void fail(GatewayError error) {
        reuse.spoil();
        ResponseListener to = listener;
        listener = null;
        channel.close();
        if (to != null) {
            to.onOriginFailed(error);
        }
    }

    /**
     * Handles the end of the connection: ends the tunnel if there is one, and fails an incomplete response with
     * {@code lost}.
     */
    final void onClosed(GatewayError lost) {
        ResponseListener to = listener;
        listener = null;
        if (to == null) {
            return;
        }
        if (tunnel != null) {
            to.onResponseEnd(EmptyHttpHeaders.INSTANCE);
        } else if (!reuse.isResponseDone()) {
            to.onOriginFailed(lost);
        }
    }
}
