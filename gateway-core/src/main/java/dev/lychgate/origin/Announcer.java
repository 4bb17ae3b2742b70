package dev.lychgate.origin;

import dev.lychgate.proxyprotocol.ProxyAnnouncement;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Stands first on a new connection to an origin and says on whose behalf it is, before TLS or a request says anything. */
final class Announcer extends ChannelInboundHandlerAdapter {
    private final ProxyAnnouncement announcement;

    private Announcer(ProxyAnnouncement announcement) {
        this.announcement = announcement;
    }

    /** Lets {@code channel}, which is about to be connected and carries no handler yet, begin with {@code announcement}. */
    static void prepare(Channel channel, ProxyAnnouncement announcement) {
        channel.pipeline().addLast(new Announcer(announcement));
    }

    /** {@code channel} is connected: whoever may write to it does so from now on, perhaps before its pipeline hears of it. */
    static void onConnected(Channel channel) {
        ChannelHandlerContext ctx = channel.pipeline().context(Announcer.class);
        if (ctx != null) {
            say(ctx, ((Announcer) ctx.handler()).announcement);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        say(ctx, announcement);
        ctx.fireChannelActive();
    }

    private static void say(ChannelHandlerContext ctx, ProxyAnnouncement announcement) {
        ctx.writeAndFlush(announcement.write(ctx.alloc()), ctx.voidPromise());
        ctx.pipeline().remove(ctx.handler());
    }
}
