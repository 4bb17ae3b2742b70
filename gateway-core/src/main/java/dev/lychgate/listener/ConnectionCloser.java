package dev.lychgate.listener;

import dev.lychgate.tls.TlsChannels;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOption;

/** Closes one HTTP/1.1 client connection, in the way that does not lose its last response. */
final class ConnectionCloser {
    private final Channel channel;
    private final ConnectionProgress progress;
    private final ReadControl reading;
    private final ClientWatch watch;

    ConnectionCloser(Channel channel, ConnectionProgress progress, ReadControl reading, ClientWatch watch) {
        this.channel = channel;
        this.progress = progress;
        this.reading = reading;
        this.watch = watch;
    }

    /** Closes as soon as the response has left: the client has nothing more to send. */
    void closeWhenWritten() {
        progress.become(ServerState.CLOSED);
        watch.awaitLastBytes();
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /** Closes our side as soon as the response has left, and discards input for a moment: the client may still be sending. */
    void linger() {
        progress.become(ServerState.LINGERING);
        watch.awaitLastBytes();
        reading.resume();
        TlsChannels.shutdownOutput(channel, watch::awaitFarewell);
    }

    void close() {
        progress.become(ServerState.CLOSED);
        TlsChannels.close(channel);
    }

    /**
     * As {@link #cut}, within a response.
     *
     * @param untilClose whether it ends with the connection: only a reset tells the client that it is not complete
     */
    void cutResponse(boolean untilClose) {
        if (untilClose) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        cut();
    }

    /** Closes without waiting for anything, and without close_notify inside TLS. */
    void cut() {
        progress.become(ServerState.CLOSED);
        TlsChannels.cut(channel);
    }
}
