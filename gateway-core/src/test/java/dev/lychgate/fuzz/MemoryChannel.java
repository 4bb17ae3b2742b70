package dev.lychgate.fuzz;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DuplexChannel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A connection without a socket that can do what a socket can: end one way only, and end with a reset. */
final class MemoryChannel extends EmbeddedChannel implements DuplexChannel {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 8080);

    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private @Nullable MemoryConfig config;
    private boolean inputShutdown;
    private boolean outputShutdown;

    MemoryChannel(ByteBufAllocator allocator) {
        config().setAllocator(allocator);
    }

    /** All that has been written to this channel so far. */
    byte[] sent() {
        for (ByteBuf piece = readOutbound(); piece != null; piece = readOutbound()) {
            byte[] bytes = new byte[piece.readableBytes()];
            piece.readBytes(bytes);
            piece.release();
            if (!outputShutdown) {
                sent.writeBytes(bytes);
            }
        }
        return sent.toByteArray();
    }

    /** Makes {@code length} bytes arrive, in one read. */
    void arrive(byte[] bytes, int from, int length) {
        writeInbound(alloc().buffer(length).writeBytes(bytes, from, length));
        runPendingTasks();
    }

    /** The peer closes the connection cleanly. */
    void peerCloses() {
        close();
        runPendingTasks();
    }

    /** The peer resets the connection. */
    void peerResets() {
        pipeline().fireExceptionCaught(new IOException("Connection reset"));
        peerCloses();
    }

    /** Whether more is read at present. */
    boolean isRead() {
        return isActive() && config().isAutoRead();
    }

    /** Whether the close was, or will be, a reset. */
    boolean isReset() {
        return ((MemoryConfig) config()).reset;
    }

    /** Sets whether more can be written without queueing. */
    void takes(boolean more) {
        if (isActive()) {
            unsafe().outboundBuffer().setUserDefinedWritability(1, more);
            runPendingTasks();
        }
    }

    @Override
    public ChannelConfig config() {
        MemoryConfig c = config;
        if (c == null) {
            c = new MemoryConfig(this);
            config = c;
        }
        return c;
    }

    @Override
    protected SocketAddress localAddress0() {
        return ADDRESS;
    }

    @Override
    protected SocketAddress remoteAddress0() {
        return ADDRESS;
    }

    @Override
    public boolean isInputShutdown() {
        return inputShutdown;
    }

    @Override
    public ChannelFuture shutdownInput() {
        return shutdownInput(newPromise());
    }

    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
        inputShutdown = true;
        return promise.setSuccess();
    }

    @Override
    public boolean isOutputShutdown() {
        return outputShutdown;
    }

    @Override
    public ChannelFuture shutdownOutput() {
        return shutdownOutput(newPromise());
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
        sent();
        outputShutdown = true;
        return promise.setSuccess();
    }

    @Override
    public boolean isShutdown() {
        return inputShutdown && outputShutdown;
    }

    @Override
    public ChannelFuture shutdown() {
        return shutdown(newPromise());
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
        shutdownInput();
        return shutdownOutput(promise);
    }

    private static final class MemoryConfig extends DefaultChannelConfig {
        private boolean reset;

        MemoryConfig(MemoryChannel channel) {
            super(channel);
        }

        @Override
        public <T> boolean setOption(ChannelOption<T> option, T value) {
            if (ChannelOption.SO_LINGER.equals(option)) {
                reset = value instanceof Integer seconds && seconds == 0;
                return true;
            }
            return super.setOption(option, value);
        }
    }
}
