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
 * The open connections, of which there are at most {@code admin.connections}. Those that have not brought what the listener asks
 * for have half of the places, and the one that has been there longest makes room for the next: strangers keep no operator
 * out. Where all places are taken, the connection that has been idle longest is closed for a new one: dashboards, which keep
 * theirs open between two requests, keep neither probes nor operators out. On the admin listener's thread, but for closing.
 */
final class Connections {
    /** An event: the listener closes. Whoever is being answered hears that answer first. */
    static final Object LAST = new Object();

    private final ChannelGroup all = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Set<Channel> strangers = new LinkedHashSet<>();
    /** Those that no request is under way on, in the order in which they became so. */
    private final Set<Channel> idle = new LinkedHashSet<>();

    /** A client has connected. @return whether there is room for it */
    boolean admit(Channel channel, AdminAccess access) {
        int most = access.connections();
        if (strangers.size() >= most / 2 || (all.size() >= most && !strangers.isEmpty())) {
            cutEldest(strangers);
        } else if (all.size() >= most && !idle.isEmpty()) {
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

    private static void cutEldest(Set<Channel> of) {
        Channel eldest = of.iterator().next();
        of.remove(eldest);
        TlsChannels.cut(eldest);
    }

    /** A request is under way. */
    void busy(Channel channel) {
        idle.remove(channel);
    }

    /** The response is written; the next request is awaited. */
    void idle(Channel channel) {
        if (channel.isOpen()) {
            idle.add(channel);
        }
    }

    /** They have brought it. */
    void known(Channel channel) {
        strangers.remove(channel);
    }

    /**
     * Closes all of them. Who is being answered hears that answer, and be it that we end; who is not heard out by then is cut.
     * Blocks; any thread but the listener's.
     */
    void close(Duration patience) {
        for (Channel channel : all) {
            channel.pipeline().fireUserEventTriggered(LAST);
        }
        all.newCloseFuture().awaitUninterruptibly(patience.toMillis());
        all.close();
    }
}
