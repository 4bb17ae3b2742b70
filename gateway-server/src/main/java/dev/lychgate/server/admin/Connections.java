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
 * The connections there are, of which there are at most {@value #MOST}. Those that have not brought what the listener asks
 * for have half of the places, and the one that has been there longest makes room for the next: strangers keep no operator
 * out. On the admin listener's thread, but for closing.
 */
final class Connections {
    static final int MOST = 64;
    private static final int MOST_STRANGERS = MOST / 2;

    private final ChannelGroup all = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Set<Channel> strangers = new LinkedHashSet<>();

    /** Somebody has come. @param asked whether they have to bring something. @return whether there is a place for them */
    boolean admit(Channel channel, boolean asked) {
        if (strangers.size() >= MOST_STRANGERS || (all.size() >= MOST && !strangers.isEmpty())) {
            Channel eldest = strangers.iterator().next();
            strangers.remove(eldest);
            TlsChannels.cut(eldest);
        }
        if (all.size() >= MOST) {
            return false;
        }
        all.add(channel);
        if (asked) {
            strangers.add(channel);
            channel.closeFuture().addListener(closed -> strangers.remove(channel));
        }
        return true;
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
            channel.pipeline().fireUserEventTriggered(AdminConnection.LAST);
        }
        all.newCloseFuture().awaitUninterruptibly(patience.toMillis());
        all.close();
    }
}
