package dev.lychgate.listener;

import dev.lychgate.chain.LogMark;
import dev.lychgate.codec.Http1Codec;
import dev.lychgate.codec.RequestSink;
import dev.lychgate.codec.RequestSource;
import dev.lychgate.config.ParameterPolicy;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.Worker;
import dev.lychgate.exchange.state.Downstream;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.ForwardingHeaders;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Headroom;
import dev.lychgate.loop.Holding;
import dev.lychgate.loop.LoopAllocator;
import dev.lychgate.proxyprotocol.ProxyHeader;
import dev.lychgate.splice.SplicedPiece;
import dev.lychgate.splice.Splicing;
import dev.lychgate.tls.TlsChannels;
import dev.lychgate.tls.TlsSession;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One client connection. Reads requests one at a time, gives each to an exchange of its own, and writes the answers in
 * the same order. Between two requests it is idle; after the last one it closes, reading on for a moment if the client is
 * still sending, so that the answer is not lost in a reset.
 *
 * <p>Lives on one event loop; every method is called there.
 */
final class ServerConnection extends ChannelInboundHandlerAdapter
        implements ClientConnection, RequestSink, Downstream, ClientWatch.Watched, Holding.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);

    /** Unparsed bytes of further requests that are taken before reading stops. */
    private static final int PIPELINED_BYTES = 16 * 1024;
    /** How much of an unwanted request body is read only to keep the connection. */
    private static final long DISCARD_LIMIT = 256 * 1024;

    private final ListenerContext listener;
    private final Worker worker;
    private final Channel channel;
    private final ReadControl reading;
    private final ResponseWriter writer;
    private final ForwardingHeaders forwarding;
    private final Peer peer;
    private final ClientWatch watch;
    private final long splicesFrom;

    private ServerState state = ServerState.IDLE;
    private @Nullable Exchange exchange;
    private boolean expectsContinue;
    /** Idle, but no request is read: the client does not read its responses. */
    private boolean heldBack;

    private long bodyBytes;
    /** What is buffered of messages that are not complete; none while everything that has come has been parsed. */
    private @Nullable Holding unparsed;
    /** {@link #bodyBytes} when that was counted last. */
    private long countedBody;

    /** Made, the connection puts itself and its decoder into the channel's pipeline, behind what is there already. */
    ServerConnection(ListenerContext listener, Worker worker, Channel channel, Peer peer) {
        this.listener = listener;
        this.worker = worker;
        this.channel = channel;
        RequestSource source =
                Http1Codec.readRequests(channel.pipeline(), listener.decoderLimits(), peer.tls() != null, this);
        this.reading = new ReadControl(channel, source);
        channel.pipeline().addLast(this);
        this.writer = new ResponseWriter(Http1Codec.writer(channel.pipeline(), source), worker.loop());
        this.watch = new ClientWatch(this, listener, worker.loop().deadlines(), channel);
        this.peer = peer;
        this.forwarding = listener.forwarding(peer);
        long threshold = listener.config().socket().splice().bytes();
        if (threshold > 0 && Splicing.isPossible(channel)) {
            Splicing.expect(channel);
            this.splicesFrom = threshold;
        } else {
            this.splicesFrom = NO_SPLICE;
        }
        // Silent until its first byte, a new connection is idle like any other: clients open connections ahead of need,
        // and thousands of them at once may be slow to use them.
        watch.awaitRequest();
    }

    private void become(ServerState next) {
        assert state.leadsTo(next) : state + " to " + next;
        state = next;
    }

    /** Whether an exchange is under way. */
    private boolean isServing() {
        return state == ServerState.RECEIVING || state == ServerState.RECEIVED || state == ServerState.TUNNEL;
    }

    @Override
    public void drain() {
        if (state == ServerState.IDLE) {
            watch.awaitRequest();
        } else {
            writer.closeAfter();
            if (exchange != null) {
                exchange.drain();
            }
        }
    }

    @Override
    public void cut() {
        Exchange current = exchange;
        writer.closeAfter();
        if (current == null && state != ServerState.CLOSED) {
            close();
        } else if (current != null) {
            current.cut(GatewayError.local(ErrorKind.DRAINING, "the gateway is shutting down"));
        }
    }

    /** The first bytes of something have come that nobody has parsed yet. */
    void onHeadBegun() {
        watch.awaitHead();
    }

    /** Leaves the channel to somebody else: nothing has been read yet. */
    void leave() {
        become(ServerState.CLOSED);
        watch.stop();
        channel.pipeline().remove(this);
        reading.remove(channel.pipeline());
        writer.release();
    }

    // ---- what the decoder reads

    @Override
    public void onRequestHead(RequestHead head, boolean persistent) {
        if (state != ServerState.IDLE) {
            return;
        }
        writer.expectAnswer(head.isHttp10(), persistent && !listener.isDraining());
        watch.headRead();
        if (unparsed != null) {
            // The exchange counts it from here on; what is behind it counts when the read ends.
            unparsed.hold(0, Holding.Kind.HEAD);
        }
        bodyBytes = 0;
        expectsContinue = head.headers().contains(HttpHeaderNames.EXPECT);
        become(ServerState.RECEIVING);
        Exchange next = new Exchange(worker, this);
        exchange = next;
        if (head.framing() != BodyFraming.NONE) {
            watch.awaitBody();
        }
        GatewayError fault = listener.admission.check(head);
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
        bodyBytes += chunk.readableBytes();
        expectsContinue = false;
        Exchange current = exchange;
        if (isServing() && current != null) {
            if (state != ServerState.TUNNEL && listener.admission.isTooLong(bodyBytes)) {
                chunk.release();
                writer.closeAfter();
                current.onRequestBroken(listener.admission.bodyTooLarge());
            } else {
                current.onRequestBody(chunk);
            }
            return;
        }
        chunk.release();
        if (state == ServerState.DISCARDING && bodyBytes > DISCARD_LIMIT) {
            linger();
        }
    }

    @Override
    public void onRequestEnd(HttpHeaders trailers) {
        // A tunnel may have been granted before the end of its request, which is nothing but its empty line.
        Exchange current = exchange;
        if (state == ServerState.RECEIVING && current != null) {
            become(ServerState.RECEIVED);
            // The next request waits, unparsed, until this one is answered.
            reading.pause();
            current.onRequestEnd(trailers);
        } else if (state == ServerState.DISCARDING) {
            becomeIdle();
        }
    }

    @Override
    public void onRequestMalformed(GatewayError error) {
        writer.closeAfter();
        Exchange current = exchange;
        if (isServing() && current != null) {
            current.onRequestBroken(error);
        } else if (state == ServerState.IDLE) {
            refuse(error);
        } else if (state == ServerState.DISCARDING) {
            // Its answer is out, and a plain close could overtake it.
            linger();
        }
    }

    /** Answers something that never became a request. */
    private void refuse(GatewayError error) {
        writer.expectAnswer(false, false);
        become(ServerState.RECEIVING);
        Exchange refused = new Exchange(worker, this);
        exchange = refused;
        refused.refuse(null, error);
    }

    // ---- what the exchange asks

    @Override
    public InetSocketAddress peer() {
        return peer.client();
    }

    @Override
    public ProxyHeader proxyHeader() {
        return peer.header();
    }

    @Override
    public ForwardingHeaders forwarding() {
        return forwarding;
    }

    @Override
    public String listener() {
        return listener.config().name();
    }

    @Override
    public ParameterPolicy pathParameters() {
        return listener.config().paths().parameters();
    }

    @Override
    public @Nullable TlsSession tls() {
        return peer.tls();
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
        if (!reading.isBodyPaused() && state != ServerState.RECEIVED) {
            reading.pauseBody();
        }
    }

    @Override
    public void resumeReading() {
        if (reading.isBodyPaused()) {
            watch.bodyRead();
            reading.resumeBody();
            if (reading.buffered() > LoopAllocator.SMALL) {
                // What is left has waited for this, and no end of a read follows. Not now: the exchange is within a
                // call.
                worker.loop().eventLoop().execute(this::countUnparsed);
            }
        }
    }

    @Override
    public void writeInformational(ResponseHead head) {
        if (head.status() == 100) {
            expectsContinue = false;
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
        // Answered while the client waits for leave to send its body: nobody can tell whether it sends it still, so
        // what it sends next could be taken for a body that it is not.
        if (listener.isDraining() || (state == ServerState.RECEIVING && expectsContinue)) {
            writer.closeAfter();
        }
        writer.head(head);
    }

    private void becomeTunnel(ResponseHead head) {
        if (state != ServerState.CLOSED) {
            become(ServerState.TUNNEL);
        }
        String key = reading.becomeTunnel();
        if (key == null) {
            throw new IllegalStateException("a tunnel that nobody has asked for");
        }
        writer.tunnel(head, key);
        listener.counters.becameWebSocket(channel);
    }

    @Override
    public boolean isDraining() {
        return listener.isDraining();
    }

    @Override
    public void writeBody(ByteBuf piece) {
        writer.body(piece);
        if (!channel.isWritable()) {
            watch.awaitReader();
        }
    }

    @Override
    public long splicesFrom() {
        return splicesFrom;
    }

    @Override
    public void writeBody(SplicedPiece piece) {
        writer.body(piece);
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
        exchange = null;
        boolean paused = reading.isBodyPaused();
        reading.forgetBody();
        if (state == ServerState.CLOSED) {
            return;
        }
        // "Done" without having been received: a bodyless request whose end has not been reported yet.
        boolean received = state == ServerState.RECEIVED || requestDone;
        if (!writer.isPersistent()) {
            if (received && reading.buffered() == 0) {
                closeWhenWritten();
            } else {
                linger();
            }
        } else if (received) {
            becomeIdle();
        } else {
            become(ServerState.DISCARDING);
            watch.awaitBody();
            if (paused) {
                resume();
            }
        }
    }

    @Override
    public void abort() {
        exchange = null;
        if (writer.isUntilClose()) {
            // Here only a reset tells the client that this is not the end.
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        writer.flush();
        // And, where there is TLS, that no end was said inside it.
        abandon();
    }

    // ---- between requests

    private void becomeIdle() {
        if (state != ServerState.IDLE) {
            become(ServerState.IDLE);
        }
        if (channel.isWritable()) {
            watch.awaitRequest();
            resume();
        } else {
            // Whoever sends requests but takes no answers gets no more of them until he does.
            heldBack = true;
            reading.hold();
            watch.awaitReader();
        }
    }

    /** What waited as bytes may become a request, or a part of one, with no read, and so no end of a read, behind it. */
    private void resume() {
        if (reading.resume()) {
            readComplete();
        }
    }

    private void closeWhenWritten() {
        become(ServerState.CLOSED);
        watch.awaitLastBytes();
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    private void linger() {
        become(ServerState.LINGERING);
        watch.awaitLastBytes();
        reading.resume();
        TlsChannels.endOutput(channel).addListener(written -> {
            if (channel instanceof DuplexChannel duplex && written.isSuccess()) {
                duplex.shutdownOutput();
                watch.awaitFarewell();
            } else {
                channel.close();
            }
        });
    }

    private void close() {
        become(ServerState.CLOSED);
        TlsChannels.close(channel);
    }

    /** Closes without waiting for anything, and without an end inside TLS. */
    private void abandon() {
        become(ServerState.CLOSED);
        TlsChannels.cut(channel);
    }

    // ---- what the channel tells

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        readComplete();
    }

    private void readComplete() {
        if (unparsed != null || reading.buffered() > 0) {
            countUnparsed();
        }
        Exchange current = exchange;
        if (current != null) {
            current.onDownstreamReadComplete();
            if (state == ServerState.RECEIVED && reading.buffered() > PIPELINED_BYTES) {
                reading.stopChannel();
            }
        } else if (state == ServerState.IDLE && reading.buffered() > 0) {
            watch.awaitHead();
        } else if (state == ServerState.CLOSED && reading.buffered() > PIPELINED_BYTES) {
            // Nobody will parse these: a client that takes its last answer slowly can't fill our memory meanwhile.
            reading.stopChannel();
        }
    }

    private void countUnparsed() {
        if (state == ServerState.CLOSED) {
            return;
        }
        Holding holding = unparsed;
        if (holding == null) {
            holding = worker.loop().memory().holding(this);
            unparsed = holding;
        }
        boolean body = state == ServerState.RECEIVING || state == ServerState.TUNNEL;
        if (body && bodyBytes != countedBody) {
            countedBody = bodyBytes;
            holding.moved();
        }
        if (!holding.hold(reading.bufferSize(), body ? Holding.Kind.BODY : Holding.Kind.HEAD)
                && !(body && (reading.isBodyPaused() || reading.buffered() <= LoopAllocator.SMALL))) {
            // What is paused is one read at most, and a chunk's framing is short: only trailers are left.
            holding.abort();
        }
    }

    @Override
    public void releaseBytes() {
        writer.closeAfter();
        reading.discard();
        reading.stopChannel();
    }

    /** Too much is held of unfinished messages, of this client or all together. */
    @Override
    public void onReclaim() {
        if (state == ServerState.CLOSED || state == ServerState.LINGERING) {
            abandon();
            return;
        }
        releaseBytes();
        Exchange current = exchange;
        if (state == ServerState.IDLE) {
            refuse(GatewayError.local(ErrorKind.OVERLOADED, "the memory for unfinished requests is used up"));
        } else if (state == ServerState.DISCARDING) {
            abandon();
        } else if (current != null && state != ServerState.RECEIVED) {
            current.onRequestBroken(
                    GatewayError.local(ErrorKind.OVERLOADED, "the memory for unfinished requests is used up"));
        }
        // A request that was complete is answered; those behind it have to be sent again.
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        Exchange current = exchange;
        if (!channel.isWritable()) {
            return;
        }
        if (current != null) {
            current.onDownstreamWritable();
        } else if (heldBack && state == ServerState.IDLE) {
            heldBack = false;
            becomeIdle();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (TlsChannels.isTlsFailure(cause)) {
            LOG.debug("TLS with a client broke", cause);
        } else if (!(cause instanceof IOException) && !Headroom.isRefusal(cause, LOG)) {
            Exchange current = exchange;
            LogMark mark = current == null ? null : current.mark();
            LoggingEventBuilder line = mark == null ? LOG.atError() : mark.on(LOG.atError());
            line.setCause(cause)
                    .log("{}a fault of ours on a client connection, which is closed now", mark == null ? "" : mark);
        }
        abandon();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        become(ServerState.CLOSED);
        watch.stop();
        if (unparsed != null) {
            unparsed.release();
        }
        Exchange current = exchange;
        exchange = null;
        if (current != null) {
            current.onDownstreamClosed(
                    GatewayError.downstream(ErrorKind.CLIENT_GONE, "the client closed the connection"));
        }
        writer.release();
    }

    // ---- what the watch tells

    @Override
    public boolean isExchanging() {
        return isServing();
    }

    @Override
    public boolean isIdle() {
        return state == ServerState.IDLE;
    }

    @Override
    public boolean isRequestEnded() {
        // A tunnel may be silent for as long as its route allows.
        return state == ServerState.RECEIVED || state == ServerState.TUNNEL;
    }

    @Override
    public boolean isBodyHeldBack() {
        return reading.isBodyPaused() || expectsContinue;
    }

    @Override
    public long bodySilence() {
        return isBodyHeldBack() ? 0 : watch.bodySilence();
    }

    @Override
    public long writeTimeout() {
        return listener.write;
    }

    @Override
    public void onHeadTimeout() {
        listener.counters.idleTimeouts.increment();
        if (reading.buffered() > 0) {
            refuse(GatewayError.downstream(ErrorKind.REQUEST_TIMEOUT, "the request head did not come in time"));
        } else {
            close();
        }
    }

    @Override
    public void onIdleTimeout() {
        listener.counters.idleTimeouts.increment();
        close();
    }

    @Override
    public void onBodyTimeout() {
        Exchange current = exchange;
        if (current != null) {
            writer.closeAfter();
            current.onRequestBroken(GatewayError.downstream(
                    ErrorKind.REQUEST_TIMEOUT, "the client fell silent within its request body"));
        }
    }

    @Override
    public void onWriteStalled() {
        Exchange current = exchange;
        exchange = null;
        if (current != null) {
            current.onDownstreamClosed(GatewayError.downstream(
                    ErrorKind.CLIENT_STALLED, "the client read nothing of its answer for too long"));
        }
        abandon();
    }

    @Override
    public void onCloseTimeout() {
        abandon();
    }
}
