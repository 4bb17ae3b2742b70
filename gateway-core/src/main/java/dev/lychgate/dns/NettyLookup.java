package dev.lychgate.dns;

import dev.lychgate.config.AddressFamily;
import dev.lychgate.config.AddressScope;
import dev.lychgate.config.DnsConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.IpLiteral;
import dev.lychgate.loop.QuietPeriod;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsNameResolverChannelStrategy;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import io.netty.util.concurrent.Future;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The common base of host and service lookups: a non-blocking Netty resolver for one name. It uses UDP, and TCP after a
 * truncated response. The resolver has a socket only during a query. Each query uses a new local port, which makes it
 * harder to forge responses.
 */
abstract class NettyLookup<T> implements Lookup<T> {
    /** The maximum number of elements of a result that are logged. */
    private static final int SHOWN = 8;

    /** Resources that a resolver uses. */
    record Network(
            EventLoop loop,
            Class<? extends DatagramChannel> datagram,
            Class<? extends SocketChannel> socket,
            QuietPeriod undecodable,
            Map<DnsConfig, LookupPermits> permits) {
        Network(
                EventLoop loop,
                Class<? extends DatagramChannel> datagram,
                Class<? extends SocketChannel> socket,
                QuietPeriod undecodable) {
            this(loop, datagram, socket, undecodable, new ConcurrentHashMap<>());
        }

        Network on(EventLoop other) {
            return new Network(other, datagram, socket, undecodable);
        }

        LookupPermits permits(DnsConfig config) {
            return permits.computeIfAbsent(config, any -> new LookupPermits(loop, LookupPermits.MOST));
        }
    }

    final EventLoop loop;
    private final AddressFamily family;
    private final AddressScope scope;
    private final LookupPermits permits;
    final DnsNameResolver resolver;
    final SeenTtl ttl = new SeenTtl();

    NettyLookup(Network network, DnsConfig config) {
        this.loop = network.loop();
        this.family = config.family();
        this.scope = config.addresses();
        this.permits = network.permits(config);
        DnsNameResolverBuilder builder = new DnsNameResolverBuilder(loop)
                .datagramChannelFactory(UndecodableDatagrams.dropped(network.datagram(), network.undecodable()))
                .socketChannelType(network.socket())
                .datagramChannelStrategy(DnsNameResolverChannelStrategy.ChannelPerResolution)
                .resolveCache(ttl)
                .cnameCache(ttl)
                .queryTimeoutMillis(config.timeout().toMillis())
                .completeOncePreferredResolved(family == AddressFamily.EITHER)
                .resolvedAddressTypes(
                        switch (family) {
                            case IPV4 -> ResolvedAddressTypes.IPV4_ONLY;
                            case IPV6 -> ResolvedAddressTypes.IPV6_ONLY;
                            case EITHER, BOTH -> ResolvedAddressTypes.IPV4_PREFERRED;
                        });
        if (!config.servers().isEmpty()) {
            builder.nameServerProvider(new SequentialDnsServerAddressStreamProvider(
                    config.servers().stream().map(NettyLookup::address).toList()));
        }
        this.resolver = builder.build();
    }

    private static InetSocketAddress address(EndpointAddress server) {
        return new InetSocketAddress(server.host(), server.port());
    }

    @Override
    public final CompletionStage<Answer<T>> ask() {
        return CompletableFuture.supplyAsync(
                        () -> {
                            ttl.clear();
                            return find();
                        },
                        loop)
                .thenCompose(found -> found)
                .thenApply(value -> new Answer<>(value, ttl.seconds()));
    }

    /** Resolves the name. Called and completed on the event loop. */
    abstract CompletionStage<T> find();

    @Override
    public void close() {
        resolver.close();
    }

    /** Resolves the addresses of a host, sorted; completes on the event loop. */
    final CompletionStage<List<String>> addresses(String host) {
        return permits.run(() -> stage(resolver.resolveAll(host))).thenApply(said -> {
            List<InetAddress> all = said.stream()
                    .filter(address -> mayServe(address) && scope.admits(address))
                    .toList();
            if (all.isEmpty()) {
                throw new CompletionException(
                        new UnknownHostException(host + " has no usable address: " + excerpt(said)));
            }
            boolean four = family == AddressFamily.EITHER && all.stream().anyMatch(Inet4Address.class::isInstance);
            return all.stream()
                    .filter(address -> !four || address instanceof Inet4Address)
                    .map(IpLiteral::text)
                    .distinct()
                    .sorted()
                    .toList();
        });
    }

    /**
     * Returns whether an endpoint may have {@code address}. Returns false for multicast and broadcast addresses, and
     * for the unspecified address, which the system maps to the local host.
     */
    private static boolean mayServe(InetAddress address) {
        return !address.isAnyLocalAddress()
                && !address.isMulticastAddress()
                && !IpLiteral.text(address).equals("255.255.255.255");
    }

    static <V> CompletionStage<V> stage(Future<V> future) {
        CompletableFuture<V> stage = new CompletableFuture<>();
        future.addListener((Future<V> done) -> {
            if (done.isSuccess()) {
                stage.complete(done.getNow());
            } else {
                stage.completeExceptionally(done.cause());
            }
        });
        return stage;
    }

    /** Shortens a result for logs and statuses. One response may contain thousands of addresses. */
    static String excerpt(Collection<?> all) {
        return all.size() <= SHOWN
                ? all.toString()
                : all.stream()
                        .limit(SHOWN)
                        .map(String::valueOf)
                        .collect(Collectors.joining(", ", "[", ", …] (" + all.size() + " in total)"));
    }
}
