package dev.lychgate.listener;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/**
 * Tells whether a client reads. Bytes that wait to be sent are sampled now and then; if between two samples nothing has
 * left, the client has read nothing (beyond what the kernel could hold).
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
     * @return since when nothing has left although something waits; {@code now} if it moved, or if nothing waits
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

    /** Whether bytes wait to be sent. */
    boolean isPending() {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        return out != null && out.totalPendingWriteBytes() > 0;
    }
}
