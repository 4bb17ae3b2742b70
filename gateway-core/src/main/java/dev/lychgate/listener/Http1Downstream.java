package dev.lychgate.listener;

import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.LoopAllocator;
import dev.lychgate.splice.SplicedPiece;
import dev.lychgate.splice.Splicing;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * The operations of an HTTP/1.1 client connection that its exchanges use: writes responses, and pauses reading of
 * request bodies.
 */
final class Http1Downstream extends KeepAlive implements ClientDownstream {
    private final ClientContext client;
    private final long splicesFrom;

    Http1Downstream(
            ClientContext client,
            Channel channel,
            ConnectionProgress progress,
            ReadControl reading,
            ResponseWriter writer,
            ClientWatch watch,
            UnparsedBytes unparsed) {
        super(channel, progress, reading, writer, watch, unparsed);
        this.client = client;
        long threshold = client.listener().config().socket().splice().bytes();
        if (threshold > 0 && Splicing.isPossible(channel)) {
            Splicing.expect(channel);
            this.splicesFrom = threshold;
        } else {
            this.splicesFrom = NO_SPLICE;
        }
    }

    @Override
    public ClientContext client() {
        return client;
    }

    @Override
    public void closeAfterResponse() {
        writer.closeAfter();
    }

    @Override
    public ByteBufAllocator allocator() {
        return channel.alloc();
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public void pauseReading() {
        if (!reading.isBodyPaused() && !progress.is(ServerState.RECEIVED)) {
            reading.pauseBody();
        }
    }

    @Override
    public void resumeReading() {
        if (reading.isBodyPaused()) {
            watch.bodyRead();
            reading.resumeBody();
            if (reading.buffered() > LoopAllocator.SMALL) {
                // No read-complete event follows these buffered bytes, so they are counted here. The count is deferred,
                // because the exchange is within a call.
                channel.eventLoop().execute(unparsed::count);
            }
        }
    }

    @Override
    public long bodySilence() {
        return watch.bodySilence();
    }

    @Override
    public void writeInformational(ResponseHead head) {
        if (head.status() == 100) {
            progress.onContinue();
            watch.bodyRead();
        }
        writer.informational(head);
    }

    @Override
    public void writeHead(ResponseHead head) {
        if (head.isTunnel()) {
            becomeTunnel(head);
            return;
        }
        if (client.listener().isRetired() || (progress.is(ServerState.RECEIVING) && isLastResponse(head))) {
            writer.closeAfter();
        }
        writer.head(head);
    }

    /**
     * Returns whether this response to an incomplete request ends the connection. If the client awaits a 100 that was
     * not sent, it is unknown whether the client will send the body. After a 408, the rest of the body would arrive too
     * late.
     */
    private boolean isLastResponse(ResponseHead head) {
        return progress.expectsContinue() || head.status() == 408;
    }

    private void becomeTunnel(ResponseHead head) {
        if (!progress.is(ServerState.CLOSED)) {
            progress.become(ServerState.TUNNEL);
        }
        String key = reading.becomeTunnel();
        if (key == null) {
            throw new IllegalStateException("a tunnel requires a WebSocket handshake");
        }
        writer.tunnel(head, key);
        client.listener().counters.becameWebSocket(channel);
    }

    @Override
    public void writeBody(ByteBuf piece) {
        writer.body(piece);
        awaitReader();
    }

    @Override
    public long splicesFrom() {
        return splicesFrom;
    }

    @Override
    public void writeBody(SplicedPiece piece) {
        writer.body(piece);
        awaitReader();
    }

    private void awaitReader() {
        if (!channel.isWritable()) {
            watch.awaitReader();
        }
    }

    @Override
    public void writeEnd(HttpHeaders trailers) {
        writer.end(trailers);
    }

    @Override
    public void flush() {
        writer.flush();
    }

    @Override
    public void onExchangeEnd(boolean requestDone) {
        progress.endExchange();
        super.onExchangeEnd(requestDone);
    }

    @Override
    public void abort() {
        progress.endExchange();
        writer.flush();
        cutResponse(writer.isUntilClose());
    }

    @Override
    public void reset() {
        progress.endExchange();
        cutResponse(true);
    }
}
