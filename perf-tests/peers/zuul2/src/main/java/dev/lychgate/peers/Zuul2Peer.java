package dev.lychgate.peers;

import com.netflix.appinfo.ApplicationInfoManager;
import com.netflix.appinfo.InstanceInfo.InstanceStatus;
import com.netflix.config.ConfigurationManager;
import com.netflix.netty.common.accesslog.AccessLogPublisher;
import com.netflix.netty.common.channel.config.ChannelConfig;
import com.netflix.netty.common.channel.config.CommonChannelConfigKeys;
import com.netflix.netty.common.metrics.EventLoopGroupMetrics;
import com.netflix.netty.common.proxyprotocol.StripUntrustedProxyHeadersHandler.AllowWhen;
import com.netflix.netty.common.status.ServerStatusManager;
import com.netflix.spectator.api.DefaultRegistry;
import com.netflix.zuul.BasicRequestCompleteHandler;
import com.netflix.zuul.DefaultFilterFactory;
import com.netflix.zuul.StaticFilterLoader;
import com.netflix.zuul.context.ZuulSessionContextDecorator;
import com.netflix.zuul.filters.endpoint.ProxyEndpoint;
import com.netflix.zuul.filters.http.HttpInboundSyncFilter;
import com.netflix.zuul.filters.http.HttpOutboundSyncFilter;
import com.netflix.zuul.message.Headers;
import com.netflix.zuul.message.http.HttpRequestMessage;
import com.netflix.zuul.message.http.HttpResponseMessage;
import com.netflix.zuul.netty.server.BaseServerStartup;
import com.netflix.zuul.netty.server.DefaultEventLoopConfig;
import com.netflix.zuul.netty.server.DirectMemoryMonitor;
import com.netflix.zuul.netty.server.NamedSocketAddress;
import com.netflix.zuul.netty.server.ZuulServerChannelInitializer;
import com.netflix.zuul.origins.BasicNettyOriginManager;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.group.ChannelGroup;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Zuul 2 on one worker. Its only inbound filter routes requests. Arguments: its port, then the ports of the origins.
 */
public final class Zuul2Peer extends BaseServerStartup {
    private final int port;

    private Zuul2Peer(int port, ApplicationInfoManager instance, DefaultRegistry registry) {
        super(
                new QuietStatus(instance),
                new StaticFilterLoader(new DefaultFilterFactory(), Set.of(Route.class, Nothing.class)),
                new ZuulSessionContextDecorator(new BasicNettyOriginManager(registry)),
                (filter, status) -> {},
                new BasicRequestCompleteHandler(),
                registry,
                new DirectMemoryMonitor(registry),
                new EventLoopGroupMetrics(registry),
                new DefaultEventLoopConfig(1, 1),
                null,
                instance,
                // Without an enabled logger it writes no lines.
                new AccessLogPublisher("ACCESS", (channel, request) -> ""));
        this.port = port;
    }

    public static void main(String[] ports) throws Exception {
        ConfigurationManager.loadCascadedPropertiesFromResources("peer");
        StringJoiner origins = new StringJoiner(",");
        for (int i = 1; i < ports.length; i++) {
            origins.add("127.0.0.1:" + ports[i]);
        }
        ConfigurationManager.getConfigInstance().setProperty("origin.ribbon.listOfServers", origins.toString());
        Route.port = ports[0];
        Zuul2Peer peer = new Zuul2Peer(
                Integer.parseInt(ports[0]), new ApplicationInfoManager(null, null, null), new DefaultRegistry());
        peer.init();
        peer.server().start();
        peer.server().awaitTermination();
    }

    @Override
    protected Map<NamedSocketAddress, ChannelInitializer<?>> chooseAddrsAndChannels(ChannelGroup clients) {
        ChannelConfig config = defaultChannelConfig("main");
        config.set(CommonChannelConfigKeys.allowProxyHeadersWhen, AllowWhen.ALWAYS);
        config.set(CommonChannelConfigKeys.preferProxyProtocolForClientIp, false);
        config.set(CommonChannelConfigKeys.isSSlFromIntermediary, false);
        config.set(CommonChannelConfigKeys.withProxyProtocol, false);
        config.set(CommonChannelConfigKeys.maxRequestsPerConnection, Integer.MAX_VALUE);
        return Map.of(
                new NamedSocketAddress("http", new InetSocketAddress("127.0.0.1", port)),
                new ZuulServerChannelInitializer(
                        String.valueOf(port), config, defaultChannelDependencies("main"), clients));
    }

    /** Sends all requests to the origins, and adds the fields that proxies add. */
    public static final class Route extends HttpInboundSyncFilter {
        private static String port = "";

        @Override
        public int filterOrder() {
            return 0;
        }

        @Override
        public boolean shouldFilter(HttpRequestMessage request) {
            return true;
        }

        @Override
        public HttpRequestMessage apply(HttpRequestMessage request) {
            request.getContext().setEndpoint(ProxyEndpoint.class.getCanonicalName());
            request.getContext().setRouteVIP("origin");
            ThreadLocalRandom random = ThreadLocalRandom.current();
            Headers headers = request.getHeaders();
            headers.set("X-Forwarded-For", request.getClientIp());
            headers.set("X-Forwarded-Proto", "http");
            headers.set("X-Forwarded-Host", headers.getFirst("Host"));
            headers.set("X-Forwarded-Port", port);
            headers.set("Via", "1.1 zuul2");
            headers.set("X-Request-Id", new UUID(random.nextLong(), random.nextLong()).toString());
            return request;
        }
    }

    /** A filter that never runs. Zuul 2 fails for every request if it has no outbound filter. */
    public static final class Nothing extends HttpOutboundSyncFilter {
        @Override
        public int filterOrder() {
            return 0;
        }

        @Override
        public boolean shouldFilter(HttpResponseMessage response) {
            return false;
        }

        @Override
        public HttpResponseMessage apply(HttpResponseMessage response) {
            return response;
        }
    }

    /** A status without a recipient, because this peer registers with no service. */
    private static final class QuietStatus extends ServerStatusManager {
        QuietStatus(ApplicationInfoManager instance) {
            super(instance);
        }

        @Override
        public void localStatus(InstanceStatus status) {}
    }
}
