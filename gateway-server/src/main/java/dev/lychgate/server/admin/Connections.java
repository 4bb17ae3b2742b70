package dev.lychgate.server.admin;

import dev.lychgate.tls.TlsChannels;
import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The open connections, at most {@code admin.connections}. All methods except {@link #close} must be called on the
 * admin listener's thread.
 *
 * <p>Connections that have not presented credentials may use half of the limit. When that half is used, a new
 * connection replaces the oldest of these connections. Clients without credentials therefore can't lock operators out.
 *
 * <p>When the full limit is used, a new connection replaces the oldest connection without credentials. If there is
 * none, it replaces the connection that has been idle for the longest time. The idle connections of dashboards
 * therefore can't lock out probes or operators.
 */
final class Connections {
    /**
     * The event that each connection gets when the listener closes. The connection then closes after the response in
     * progress.
     */
    static final Object LAST = new Object();

    private final ChannelGroup all = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Set<Channel> strangers = new LinkedHashSet<>();
    /** Connections without a request in progress, the longest idle first. */
    private final Set<Channel> idle = new LinkedHashSet<>();

    /** Registers a new connection. Returns false if the limit is reached and no connection can be replaced. */
    boolean admit(Channel channel, AdminAccess access) {
        int most = access.connections();
        // Closes more than one connection if a reload has lowered the limit.
        while (!strangers.isEmpty() && (strangers.size() >= most / 2 || all.size() >= most)) {
            cutEldest(strangers);
        }
        while (!idle.isEmpty() && all.size() >= most) {
            cutEldest(idle);
        }
        if (all.size() >= most) {
            return false;
        }
        all.add(channel);
        idle.add(channel);
        if (!access.asksNothing()) {
            strangers.add(channel);
        }
        channel.closeFuture().addListener(closed -> {
            strangers.remove(channel);
            idle.remove(channel);
        });
        return true;
    }

    private void cutEldest(Set<Channel> of) {
        Channel eldest = of.iterator().next();
        all.remove(eldest);
        strangers.remove(eldest);
        idle.remove(eldest);
        TlsChannels.cut(eldest);
    }

    /** Records that a connection has a request in progress. */
    void busy(Channel channel) {
        idle.remove(channel);
    }

    /** Records that a connection is idle: its response is written, and the next request is awaited. */
    void idle(Channel channel) {
        if (channel.isOpen()) {
            idle.add(channel);
        }
    }

    /** Records that a connection has presented valid credentials. */
    void known(Channel channel) {
        strangers.remove(channel);
    }

    /**
     * Closes all connections. Responses in progress complete first, even the response to a request to drain. Responses
     * that take longer than {@code patience} are aborted. Blocks, so it must not be called on the listener's thread.
     */
    void close(Duration patience) {
        for (Channel channel : all) {
            channel.pipeline().fireUserEventTriggered(LAST);
        }
        all.newCloseFuture().awaitUninterruptibly(patience.toMillis());
        all.close();
    }
}
