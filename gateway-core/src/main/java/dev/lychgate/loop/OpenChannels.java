package dev.lychgate.loop;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Open channels of all loops. The gateway closes these channels when it stops. If it did not close them, a busy loop
 * could terminate with open channels, and the buffers of pending writes would leak. Thread-safe.
 */
public final class OpenChannels implements Iterable<Channel> {
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    /** Tracks {@code channel} until it closes. */
    public void add(Channel channel) {
        channels.add(channel);
    }

    public int size() {
        return channels.size();
    }

    @Override
    public Iterator<Channel> iterator() {
        return channels.iterator();
    }

    /**
     * Closes all open channels of the selected loops, each channel on its loop. Sends no close messages of any
     * protocol.
     *
     * @param loops selects the loops
     * @return futures that complete when the channels are closed
     */
    public List<Future<?>> closeNow(Predicate<EventLoop> loops) {
        List<Future<?>> closing = new ArrayList<>();
        for (Channel channel : channels) {
            if (channel.isRegistered() && !channel.eventLoop().isShuttingDown() && loops.test(channel.eventLoop())) {
                // Bypasses the handlers, because the TLS handler would first write a close_notify.
                closing.add(channel.eventLoop()
                        .submit(() -> channel.unsafe().close(channel.unsafe().voidPromise())));
            }
        }
        return closing;
    }
}
