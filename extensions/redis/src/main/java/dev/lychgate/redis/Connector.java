package dev.lychgate.redis;

import dev.lychgate.config.EndpointAddress;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.event.DefaultEventPublisherOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The client of one Redis server, of a master that Sentinels determine, or of a cluster. Thread-safe. */
final class Connector {
    private static final Duration CONNECT = Duration.ofSeconds(1);
    /** The maximum time for the greeting of a server, and for the topology of a cluster. */
    private static final Duration GREETING = Duration.ofSeconds(2);

    private static final Duration RECONNECT = Duration.ofMillis(100);
    private static final Duration TOPOLOGY = Duration.ofSeconds(1);
    private static final int MOST_IN_A_BATCH = 256;

    private final Threads threads = new Threads();
    private final EventExecutorGroup reconnecting =
            new DefaultEventExecutorGroup(1, Threads.NAMED.getThreadFactory("redis"));
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final ClientResources resources;
    private final AbstractRedisClient client;
    private final Supplier<CompletionStage<Link>> connect;

    Connector(Access access) {
        resources = DefaultClientResources.builder()
                .threadFactoryProvider(Threads.NAMED)
                .eventLoopGroupProvider(threads)
                .eventExecutorGroup(reconnecting)
                .reconnectDelay(Delay.constant(RECONNECT))
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .commandLatencyPublisherOptions(DefaultEventPublisherOptions.disabled())
                .nettyCustomizer(new Customizer())
                .build();
        if (access.settings().cluster()) {
            RedisClusterClient cluster = RedisClusterClient.create(resources, nodes(access));
            ClusterClientOptions.Builder options = ClusterClientOptions.builder()
                    .validateClusterNodeMembership(false)
                    .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                            .enablePeriodicRefresh(TOPOLOGY)
                            .enableAllAdaptiveRefreshTriggers()
                            .adaptiveRefreshTriggersTimeout(TOPOLOGY)
                            .refreshTriggersReconnectAttempts(1)
                            .build());
            complete(options, access);
            cluster.setOptions(options.build());
            client = cluster;
            connect = () -> cluster.refreshPartitionsAsync()
                    .thenCompose(known -> cluster.connectAsync(StringCodec.UTF8))
                    .thenApply(Link::to);
        } else {
            RedisClient single = RedisClient.create(resources);
            ClientOptions.Builder options = ClientOptions.builder();
            complete(options, access);
            single.setOptions(options.build());
            RedisURI server = access.settings().master() == null
                    ? nodes(access).get(0)
                    : sentinels(access, access.settings().master());
            client = single;
            connect = () -> single.connectAsync(StringCodec.UTF8, server).thenApply(Link::to);
        }
    }

    private static void complete(ClientOptions.Builder options, Access access) {
        options.disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                // A query that was lost is not repeated, because the gateway has already decided about its request.
                .replayFilter(command -> true)
                .timeoutOptions(TimeoutOptions.create())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(CONNECT)
                        .keepAlive(true)
                        .build());
        String authorities = access.authorities();
        if (authorities != null) {
            byte[] pem = authorities.getBytes(StandardCharsets.US_ASCII);
            options.sslOptions(SslOptions.builder()
                    .jdkSslProvider()
                    .trustManager(() -> new ByteArrayInputStream(pem))
                    .build());
        }
    }

    private static List<RedisURI> nodes(Access access) {
        return access.settings().endpoints().stream()
                .map(RedisSettings::endpoint)
                .map(node -> secured(RedisURI.Builder.redis(node.host(), node.port()), access))
                .toList();
    }

    private static RedisURI secured(RedisURI.Builder uri, Access access) {
        String password = access.password();
        String username = access.settings().username();
        if (password != null && username != null) {
            uri.withAuthentication(username, password.toCharArray());
        } else if (password != null) {
            uri.withPassword(password.toCharArray());
        }
        return uri.withSsl(access.settings().tls())
                .withVerifyPeer(true)
                .withTimeout(GREETING)
                .build();
    }

    private static RedisURI sentinels(Access access, String master) {
        RedisURI.Builder all = null;
        for (String each : access.settings().endpoints()) {
            EndpointAddress address = RedisSettings.endpoint(each);
            RedisURI.Builder uri = RedisURI.Builder.redis(address.host(), address.port());
            String password = access.sentinelPassword();
            if (password != null) {
                uri.withPassword(password.toCharArray());
            }
            RedisURI sentinel = uri.withSsl(access.settings().tls())
                    .withVerifyPeer(true)
                    .withTimeout(GREETING)
                    .build();
            if (all == null) {
                all = RedisURI.Builder.sentinel(address.host(), address.port(), master);
                // The builder itself lists the first Sentinel, but without a password.
            }
            all.withSentinel(sentinel);
        }
        if (all == null) {
            throw new IllegalStateException("no Sentinel");
        }
        RedisURI uri = secured(all, access);
        uri.getSentinels().remove(0);
        return uri;
    }

    /** Connects for the first time. Afterwards, the connection reconnects automatically. */
    CompletionStage<Link> connect() {
        try {
            return connect.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /** Returns the thread of the connections. */
    Executor thread() {
        return threads;
    }

    ScheduledFuture<?> schedule(Runnable task, Duration delay) {
        return reconnecting.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Closes all connections, because the server is no longer a master. New connections are opened automatically. */
    void reconnect() {
        channels.close();
    }

    /** Ends connections and threads. */
    CompletableFuture<Void> close() {
        return client.shutdownAsync(0, 1, TimeUnit.SECONDS).handle((closed, failure) -> {
            resources.shutdown(0, 1, TimeUnit.SECONDS);
            reconnecting.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            return null;
        });
    }

    /** Prepares each connection. */
    private final class Customizer implements NettyCustomizer {
        @Override
        public void afterChannelInitialized(Channel channel) {
            channels.add(channel);
            // Queries that are sent at the same moment are written to the socket at once.
            channel.pipeline().addFirst(new FlushConsolidationHandler(MOST_IN_A_BATCH, true), new StalledConnection());
        }
    }
}
