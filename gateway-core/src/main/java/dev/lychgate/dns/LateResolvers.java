package dev.lychgate.dns;

import io.netty.channel.socket.DatagramChannel;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Netty's resolvers of host names, one for each event loop, of which nothing is loaded before there is a name to ask for.
 * Endpoints are addresses by the time something connects to them, as a rule, and the classes are 4 % of a start.
 */
public final class LateResolvers extends AddressResolverGroup<InetSocketAddress> {
    private final Class<? extends DatagramChannel> datagram;

    /** Guarded by the lock under which the class above makes resolvers. Each of them is closed when its loop ends. */
    private @Nullable DnsAddressResolverGroup group;

    /** @param datagram the transport's UDP channel */
    public LateResolvers(Class<? extends DatagramChannel> datagram) {
        this.datagram = datagram;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor loop) {
        if (group == null) {
            group = new DnsAddressResolverGroup(new DnsNameResolverBuilder().datagramChannelType(datagram));
        }
        return group.getResolver(loop);
    }
}
