package dev.lychgate.listener;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/**
 * Detects whether a client reads, by sampling the number of bytes that wait to be sent. If no byte is sent between two
 * samples, the client has stopped reading, and the kernel's buffers are full.
 */
final class WriteProgress {
    private final Channel channel;
    private long pendingBytes;
    private long partOfFirst;
    private long sampledAt;

    WriteProgress(Channel channel) {
        this.channel = channel;
    }

    /**
     * Takes a sample.
     *
     * @return start of the stall; {@code now} if bytes were sent, or if no bytes are pending
     */
    long stalledSince(long now) {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        long bytes = out == null ? 0 : out.totalPendingWriteBytes();
        long part = out == null ? 0 : out.currentProgress();
        if (bytes == 0 || bytes != pendingBytes || part != partOfFirst) {
            sampledAt = now;
        }
        pendingBytes = bytes;
        partOfFirst = part;
        return sampledAt;
    }

    /** Returns whether bytes wait to be sent. */
    boolean isPending() {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        return out != null && out.totalPendingWriteBytes() > 0;
    }
}
