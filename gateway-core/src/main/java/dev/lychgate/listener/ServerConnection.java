package dev.lychgate.listener;

import dev.lychgate.chain.LogMark;
import dev.lychgate.codec.RequestReader;
import dev.lychgate.codec.RequestSink;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.Worker;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.RequestHead;
import dev.lychgate.loop.Headroom;
import dev.lychgate.loop.Holding;
import dev.lychgate.loop.Loop;
import dev.lychgate.tls.TlsChannels;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One HTTP/1.1 client connection. Reads one request at a time and creates an exchange for each request. {@link
 * Http1Downstream} writes the responses. {@link KeepAlive} decides whether the connection continues after a response.
 *
 * <p>Every method must be called on the connection's event loop.
 */
final class ServerConnection extends ChannelInboundHandlerAdapter
        implements ClientConnection, RequestSink, ClientWatch.Events, Holding.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);

    /** Maximum number of bytes of an unwanted request body that are read and discarded to keep the connection. */
    private static final long DISCARD_LIMIT = 256 * 1024;

    private final ListenerContext listener;
    private final Worker worker;
    private final Channel channel;
    private final ConnectionProgress progress = new ConnectionProgress();
    private final ReadControl reading;
    private final ResponseWriter writer;
    private final ClientWatch watch;
    private final UnparsedBytes unparsed;
    private final Http1Downstream downstream;

    /** Adds the connection and its decoder to the end of the channel's pipeline. */
    ServerConnection(ListenerContext listener, Worker worker, Channel channel, Peer peer) {
        this.listener = listener;
        this.worker = worker;
        this.channel = channel;
        RequestReader source = RequestReader.on(channel.pipeline(), listener.decoderLimits, peer.tls() != null, this);
        this.reading = new ReadControl(channel, source);
        channel.pipeline().addLast(this);
        Loop loop = worker.loop();
        this.writer = new ResponseWriter(source, channel.pipeline(), loop);
        this.watch = new ClientWatch(this, progress, reading, listener, loop.deadlines(), channel);
        this.unparsed = new UnparsedBytes(progress, reading, loop.memory(), this);
        this.downstream = new Http1Downstream(
                ClientContext.of(listener, peer), channel, progress, reading, writer, watch, unparsed);
        // A new connection is idle until its first byte arrives, because clients open connections in advance, and
        // because thousands of clients may be slow to send.
        watch.awaitRequest();
    }

    @Override
    public void drain() {
        if (progress.is(ServerState.IDLE)) {
            watch.awaitRequest();
        } else {
            writer.closeAfter();
            Exchange current = progress.exchange();
            if (current != null) {
                current.drain();
            }
        }
    }

    @Override
    public void cut() {
        Exchange current = progress.exchange();
        writer.closeAfter();
        if (current == null && !progress.is(ServerState.CLOSED)) {
            downstream.close();
        } else if (current != null) {
            current.cut(GatewayError.local(ErrorKind.DRAINING, "the gateway is shutting down"));
        }
    }

    /** Records the arrival of the first bytes, which are not parsed yet. */
    void onHeadBegun() {
        watch.awaitHead();
    }

    /** Leaves the channel to another handler, before any bytes are read. */
    void leave() {
        progress.become(ServerState.CLOSED);
        watch.stop();
        channel.pipeline().remove(this);
        reading.remove(channel.pipeline());
        writer.release();
    }

    // ---- requests

    @Override
    public void onRequestHead(RequestHead head, boolean persistent) {
        if (!progress.is(ServerState.IDLE)) {
            return;
        }
        writer.expectAnswer(head.isHttp10(), persistent && !listener.isRetired());
        watch.headRead();
        unparsed.headRead();
        Exchange next = new Exchange(worker, downstream);
        progress.begin(next, head.headers().contains(HttpHeaderNames.EXPECT));
        if (head.framing() != BodyFraming.NONE) {
            watch.awaitBody();
        }
        GatewayError fault = listener.check(head);
        if (fault == null) {
            fault = next.keep(head);
        }
        if (fault == null) {
            next.begin(head);
        } else {
            next.refuse(head, fault);
        }
    }

    @Override
    public void onRequestBody(ByteBuf chunk) {
        watch.bodyRead();
        progress.onBody(chunk.readableBytes());
        Exchange current = progress.exchange();
        if (progress.isServing() && current != null) {
            if (!progress.is(ServerState.TUNNEL) && listener.admission.isTooLong(progress.bodyBytes())) {
                chunk.release();
                writer.closeAfter();
                current.onRequestBroken(listener.admission.bodyTooLarge());
            } else {
                current.onRequestBody(chunk);
            }
            return;
        }
        chunk.release();
        if (progress.is(ServerState.DISCARDING) && progress.bodyBytes() > DISCARD_LIMIT) {
            downstream.linger();
        }
    }

    @Override
    public void onRequestEnd(HttpHeaders trailers) {
        // A tunnel may have been opened before the end of its request is reported, because such a request has no body.
        Exchange current = progress.exchange();
        if (progress.is(ServerState.RECEIVING) && current != null) {
            progress.become(ServerState.RECEIVED);
            // The next request stays unparsed until the response is complete.
            reading.pause();
            current.onRequestEnd(trailers);
        } else if (progress.is(ServerState.DISCARDING)) {
            downstream.becomeIdle();
        }
    }

    @Override
    public void onRequestMalformed(GatewayError error) {
        writer.closeAfter();
        Exchange current = progress.exchange();
        if (progress.isServing() && current != null) {
            current.onRequestBroken(error);
        } else if (progress.is(ServerState.IDLE)) {
            refuse(error);
        } else if (progress.is(ServerState.DISCARDING)) {
            // The response has been written, and a plain close could overtake it.
            downstream.linger();
        }
    }

    /** Responds to input that is not a complete request head. */
    private void refuse(GatewayError error) {
        writer.expectAnswer(false, false);
        Exchange refused = new Exchange(worker, downstream);
        progress.begin(refused, false);
        refused.refuse(null, error);
    }

    // ---- channel events

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        downstream.onReadComplete();
    }

    @Override
    public void releaseBytes() {
        writer.closeAfter();
        reading.discard();
        reading.stopChannel();
    }

    /** Rejects the request, because the memory for unfinished messages is used up or was reclaimed. */
    @Override
    public void onReclaim() {
        if (progress.is(ServerState.CLOSED) || progress.is(ServerState.LINGERING)) {
            downstream.cut();
            return;
        }
        releaseBytes();
        Exchange current = progress.exchange();
        if (progress.is(ServerState.IDLE)) {
            refuse(GatewayError.local(ErrorKind.OVERLOADED, "the memory budget for unfinished requests is exhausted"));
        } else if (progress.is(ServerState.DISCARDING)) {
            downstream.cut();
        } else if (current != null && !progress.is(ServerState.RECEIVED)) {
            current.onRequestBroken(
                    GatewayError.local(ErrorKind.OVERLOADED, "the memory budget for unfinished requests is exhausted"));
        }
        // A complete request still receives its response. The client must send pipelined requests again.
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (!channel.isWritable()) {
            return;
        }
        Exchange current = progress.exchange();
        if (current != null) {
            current.onDownstreamWritable();
        } else {
            downstream.onWritable();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (TlsChannels.isTlsFailure(cause)) {
            LOG.debug("TLS failed on a client connection", cause);
        } else if (!(cause instanceof IOException) && !Headroom.isRefusal(cause, LOG)) {
            Exchange current = progress.exchange();
            LogMark mark = current == null ? null : current.record().mark();
            LoggingEventBuilder line = mark == null ? LOG.atError() : mark.on(LOG.atError());
            line.setCause(cause)
                    .log("{}internal error on a client connection; the connection is closed", mark == null ? "" : mark);
        }
        downstream.cutResponse(progress.exchange() != null && writer.isUntilClose());
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        progress.become(ServerState.CLOSED);
        watch.stop();
        unparsed.release();
        Exchange current = progress.endExchange();
        if (current != null) {
            current.onDownstreamClosed(
                    GatewayError.downstream(ErrorKind.CLIENT_GONE, "the client closed the connection"));
        }
        writer.release();
    }

    // ---- timeouts

    @Override
    public void onHeadTimeout() {
        listener.counters.idleTimeouts.increment();
        if (reading.buffered() > 0) {
            refuse(GatewayError.downstream(ErrorKind.REQUEST_TIMEOUT, "the request head was not received in time"));
        } else {
            downstream.close();
        }
    }

    @Override
    public void onIdleTimeout() {
        listener.counters.idleTimeouts.increment();
        downstream.close();
    }

    @Override
    public void onBodyTimeout() {
        Exchange current = progress.exchange();
        if (current != null) {
            current.onRequestBroken(
                    GatewayError.downstream(ErrorKind.REQUEST_TIMEOUT, "the client stopped sending its request body"));
        }
    }

    @Override
    public void onWriteStalled() {
        Exchange current = progress.endExchange();
        if (current != null) {
            current.onDownstreamClosed(
                    GatewayError.downstream(ErrorKind.CLIENT_STALLED, "the client stopped reading its response"));
        }
        downstream.cut();
    }

    @Override
    public void onCloseTimeout() {
        downstream.cut();
    }
}
