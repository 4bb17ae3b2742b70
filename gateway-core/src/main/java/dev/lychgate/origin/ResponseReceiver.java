package dev.lychgate.origin;

import dev.lychgate.codec.ResponseSink;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.splice.SplicedPiece;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reports the response of the exchange under way on one HTTP/1.1 origin connection to its listener, or its failure. */
final class ResponseReceiver implements ResponseSink {
    private final Channel channel;
    private final Reuse reuse;
    private final Silence silence;
    private final OriginReadControl reading;
    private final Supplier<Http1OriginTunnel> tunnels;
    /** Null until the connection becomes a tunnel. */
    private @Nullable Http1OriginTunnel tunnel;
    /** Null while no response is awaited. */
    private @Nullable ResponseListener listener;
    /** The request expects a 100, and neither a response nor the body has begun. */
    private boolean awaitsContinue;

    /** @param tunnels makes a tunnel of the connection */
    ResponseReceiver(
            Channel channel,
            Reuse reuse,
            Silence silence,
            OriginReadControl reading,
            Supplier<Http1OriginTunnel> tunnels) {
        this.channel = channel;
        this.reuse = reuse;
        this.silence = silence;
        this.reading = reading;
        this.tunnels = tunnels;
    }

    /** A request begins. @param expects whether its body is sent after a 100 only */
    void begin(ResponseListener to, boolean expects) {
        listener = to;
        awaitsContinue = expects;
    }

    /** The body of the request begins. */
    void onRequestBody() {
        awaitsContinue = false;
    }

    boolean awaitsContinue() {
        return awaitsContinue;
    }

    boolean isAwaited() {
        return listener != null;
    }

    /** Reports nothing more. */
    void forget() {
        listener = null;
    }

    @Nullable
    Http1OriginTunnel tunnel() {
        return tunnel;
    }

    // ---- what the decoder reads

    @Override
    public void onResponseHead(ResponseHead head, boolean persistent) {
        ResponseListener to = listener;
        if (to == null) {
            return;
        }
        if (head.isTunnel()) {
            tunnel = tunnels.get();
            reuse.spoil();
            // Other limits apply to a tunnel.
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
    public void onResponseBody(ByteBuf chunk) {
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

    /** Chunks that were spliced during this read precede the next event. */
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
    public void onResponseEnd(HttpHeaders trailers, boolean surplus) {
        reuse.responseEnd(surplus);
        ResponseListener to = listener;
        if (to != null) {
            to.onResponseEnd(trailers);
        }
    }

    @Override
    public void onResponseMalformed(String detail) {
        fail(GatewayError.upstream(ErrorKind.MALFORMED_RESPONSE, Retry.NEVER, detail));
    }

    @Override
    public void onUnsolicitedBytes() {
        // Unsolicited bytes (a 408 on an idle connection, a second response) must never be taken for the response to
        // the
        // next request.
        reuse.spoil();
        if (!reuse.isExchanging() || reuse.isResponseDone()) {
            channel.close();
        }
    }

    // ---- events of the channel

    void onReadComplete() {
        reportSpliced();
        ResponseListener to = listener;
        if (to != null) {
            to.onOriginReadComplete();
        }
    }

    void onWritable() {
        ResponseListener to = listener;
        if (to != null) {
            to.onOriginWritable();
        }
    }

    /** The exchange fails, and the connection is closed. */
    void fail(GatewayError error) {
        reuse.spoil();
        ResponseListener to = listener;
        listener = null;
        channel.close();
        if (to != null) {
            to.onOriginFailed(error);
        }
    }

    /** The connection is closed: that is the end of a tunnel, and the failure {@code lost} of a response that is not complete. */
    void onClosed(GatewayError lost) {
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
