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
 * Channels that are open, on whichever loop, so that they can be closed when the gateway stops: a loop that is told to shut
 * down while it works may end without doing that, and what the channels have still to write would be lost without being let
 * go of. Any thread may use it.
 */
public final class OpenChannels implements Iterable<Channel> {
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    /** Knows of {@code channel} until it closes. */
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
     * Closes all that is open on some loops, each on its loop, without a farewell.
     *
     * @param loops which
     * @return what completes when that is done
     */
    public List<Future<?>> closeNow(Predicate<EventLoop> loops) {
        List<Future<?>> closing = new ArrayList<>();
        for (Channel channel : channels) {
            if (channel.isRegistered() && !channel.eventLoop().isShuttingDown() && loops.test(channel.eventLoop())) {
                // Past the handlers, of which TLS would have something to say first.
                closing.add(channel.eventLoop()
                        .submit(() -> channel.unsafe().close(channel.unsafe().voidPromise())));
            }
        }
        return closing;
    }
}
