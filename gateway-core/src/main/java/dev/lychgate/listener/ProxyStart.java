package dev.lychgate.listener;

import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Loop;
import dev.lychgate.proxyprotocol.ProxyFault;
import dev.lychgate.proxyprotocol.ProxyHeader;
import dev.lychgate.proxyprotocol.ProxyHeaderException;
import dev.lychgate.proxyprotocol.ProxyHeaderReader;
import dev.lychgate.tls.TlsChannels;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.ReferenceCountUtil;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the PROXY protocol header of a trusted proxy's connection, then passes all further bytes to the next handlers.
 * A connection without a valid header is closed, counted, and logged at debug level.
 */
final class ProxyStart extends ChannelInboundHandlerAdapter implements ClientConnection {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyStart.class);

    private final ListenerContext listener;
    private final Loop loop;
    private final Channel channel;
    private final Consumer<ProxyHeader> done;
    private final Deadline deadline =
            Deadline.of(() -> fail(ProxyFault.TIMEOUT, "the header was not complete in time"));
    private @Nullable ByteBuf begun;
    private boolean over;

    private ProxyStart(ListenerContext listener, Loop loop, Channel channel, Consumer<ProxyHeader> done) {
        this.listener = listener;
        this.loop = loop;
        this.channel = channel;
        this.done = done;
    }

    /**
     * Starts reading the header on {@code channel}, which has just been accepted.
     *
     * @param done adds the handlers that receive all further bytes
     */
    static void on(ListenerContext listener, Loop loop, Channel channel, Consumer<ProxyHeader> done) {
        ProxyStart start = new ProxyStart(listener, loop, channel, done);
        channel.pipeline().addLast(start);
        ClientConnection.put(channel, start);
        loop.deadlines().arm(start.deadline, listener.requestHead);
    }

    /** Closes the connection immediately, because no request has begun. */
    @Override
    public void drain() {
        close();
    }

    @Override
    public void cut() {
        close();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (over || !(message instanceof ByteBuf piece)) {
            ReferenceCountUtil.release(message);
            return;
        }
        ByteBuf in = piece;
        ByteBuf before = begun;
        if (before != null) {
            begun = null;
            // Bounded, because the reader rejects input that exceeds the longest header.
            in = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), before, piece);
        }
        ProxyHeader header;
        try {
            header = ProxyHeaderReader.read(in);
        } catch (ProxyHeaderException e) {
            in.release();
            fail(e.fault(), e.getMessage());
            return;
        }
        if (header == null) {
            // The bytes are copied, because the read buffer is much larger than most headers, and the rest of the
            // header may never arrive.
            begun = Unpooled.copiedBuffer(in);
            in.release();
        } else {
            pass(ctx, header, in);
        }
    }

    private void pass(ChannelHandlerContext ctx, ProxyHeader header, ByteBuf rest) {
        end();
        // This handler is removed first, because some of the next handlers must be first in the pipeline.
        ctx.pipeline().remove(this);
        done.accept(header);
        if (rest.isReadable()) {
            channel.pipeline().fireChannelRead(rest);
        } else {
            rest.release();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (begun == null) {
            // Not counted as a fault, because port checks close the connection without sending a byte.
            close();
        } else {
            fail(ProxyFault.CLOSED, "the proxy closed the connection within the header");
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        channelInactive(ctx);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        end();
    }

    private void fail(ProxyFault fault, @Nullable String detail) {
        if (!over) {
            listener.counters.proxyFault(fault);
            LOG.debug(
                    "listener {}: connection from {} closed without a valid PROXY protocol header: {} ({})",
                    listener.config().name(),
                    channel.remoteAddress(),
                    fault.label(),
                    detail);
        }
        close();
    }

    private void close() {
        end();
        if (channel.isOpen()) {
            TlsChannels.cut(channel);
        }
    }

    private void end() {
        over = true;
        loop.deadlines().remove(deadline);
        ByteBuf before = begun;
        if (before != null) {
            begun = null;
            before.release();
        }
    }
}
