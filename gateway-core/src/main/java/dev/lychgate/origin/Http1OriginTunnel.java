package dev.lychgate.origin;

import dev.lychgate.codec.MessageWriter;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.DeadlineWheel;
import dev.lychgate.tls.TlsChannels;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Controls and shuts down an HTTP/1.1 connection that has become a tunnel. Used only on the connection's event loop.
 */
final class Http1OriginTunnel extends Deadline implements OriginTunnel {
    /**
     * The time within which the origin must close its side of the connection after the gateway has closed its side, in
     * nanoseconds.
     */
    private static final long FAREWELL = TimeUnit.SECONDS.toNanos(2);
    /**
     * The maximum number of bytes that the origin may send within {@link #FAREWELL}. If the origin sends more, the
     * gateway closes the connection immediately.
     */
    private static final long FAREWELL_BYTES = 256 * 1024;

    private final Channel channel;
    private final DeadlineWheel wheel;
    private final MessageWriter writer;
    private final OriginReadControl reading;
    private final Runnable forget;
    private long discarded;
    /** True if the gateway has closed its side, so that input is discarded until the deadline. */
    private boolean leaving;

    /**
     * Creates the control of a connection that has become a tunnel.
     *
     * @param forget called to stop the notifications to the user of the tunnel
     */
    Http1OriginTunnel(
            Channel channel, DeadlineWheel wheel, MessageWriter writer, OriginReadControl reading, Runnable forget) {
        this.channel = channel;
        this.wheel = wheel;
        this.writer = writer;
        this.reading = reading;
        this.forget = forget;
    }

    @Override
    public boolean isOpen() {
        return channel.isActive();
    }

    @Override
    public boolean endsByHalves() {
        return !TlsChannels.isEncrypted(channel);
    }

    @Override
    public long unsent() {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        return out == null ? 0 : out.totalPendingWriteBytes() - out.currentProgress();
    }

    /**
     * Closes the gateway's side of the connection, including TLS, and keeps reading for {@link #FAREWELL}. If the
     * connection were closed immediately, bytes that the origin still sends would cause a reset. A reset could destroy
     * bytes that the origin has not read yet.
     */
    @Override
    public void close() {
        forget.run();
        if (leaving) {
            return;
        }
        if (!channel.isActive()) {
            channel.close();
            return;
        }
        leaving = true;
        reading.resume();
        wheel.arm(this, FAREWELL);
        endOutput();
    }

    /**
     * Closes the gateway's side of the connection after the written bytes have been sent. Reading from the origin
     * continues.
     */
    void endOutput() {
        writer.flush();
        TlsChannels.shutdownOutput(channel, () -> {});
    }

    /** Counts {@code bytes} that were discarded because the tunnel has no listener. */
    void onDiscarded(int bytes) {
        discarded += bytes;
        if (leaving && discarded > FAREWELL_BYTES) {
            channel.close();
        }
    }

    @Override
    public void cut() {
        forget.run();
        channel.close();
    }

    @Override
    public void reset() {
        if (channel.isActive()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        forget.run();
        TlsChannels.cut(channel);
    }

    /** Removes the deadline of the tunnel, because the connection is closed. */
    void stop() {
        wheel.remove(this);
    }

    @Override
    protected void onDeadline() {
        channel.close();
    }
}
