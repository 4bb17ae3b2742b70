package dev.lychgate.peers;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.httpproxy.HttpProxy;
import io.vertx.httpproxy.OriginRequestProvider;
import io.vertx.httpproxy.ProxyContext;
import io.vertx.httpproxy.ProxyInterceptor;
import io.vertx.httpproxy.ProxyRequest;
import io.vertx.httpproxy.ProxyResponse;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Vert.x' HTTP proxy on one event loop. Arguments: its port, then the ports of the origins. */
public final class VertxPeer {
    private static final int CONNECTIONS = 16_384;

    private VertxPeer() {}

    public static void main(String[] ports) {
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1));
        if (!vertx.isNativeTransportEnabled()) {
            throw new IllegalStateException("no native transport", vertx.unavailableNativeTransportCause());
        }
        HttpClient client = vertx.createHttpClient(
                new HttpClientOptions().setKeepAliveTimeout(60),
                new PoolOptions().setHttp1MaxSize(CONNECTIONS).setMaxWaitQueueSize(-1).setEventLoopSize(1));
        HttpProxy proxy = HttpProxy.reverseProxy(client);
        proxy.origin(inTurn(ports)).addInterceptor(new Forwarding(ports[0]));
        vertx.createHttpServer(new HttpServerOptions()
                        .setHost("127.0.0.1")
                        .setPort(Integer.parseInt(ports[0]))
                        .setAcceptBacklog(4096))
                .requestHandler(proxy)
                .listen()
                .onFailure(failure -> {
                    failure.printStackTrace();
                    System.exit(1);
                });
    }

    private static OriginRequestProvider inTurn(String[] ports) {
        SocketAddress[] origins = IntStream.range(1, ports.length)
                .mapToObj(i -> SocketAddress.inetSocketAddress(Integer.parseInt(ports[i]), "127.0.0.1"))
                .toArray(SocketAddress[]::new);
        return OriginRequestProvider.selector(new Function<>() {
            private int next;

            @Override
            public Future<SocketAddress> apply(ProxyContext context) {
                next = (next + 1) % origins.length;
                return Future.succeededFuture(origins[next]);
            }
        });
    }

    private record Forwarding(String port) implements ProxyInterceptor {
        @Override
        public Future<ProxyResponse> handleProxyRequest(ProxyContext context) {
            ProxyRequest request = context.request();
            HttpServerRequest received = request.proxiedRequest();
            ThreadLocalRandom random = ThreadLocalRandom.current();
            // Host as the client sent it.
            request.setAuthority(received.authority());
            request.headers()
                    .set("X-Forwarded-For", received.remoteAddress().hostAddress())
                    .set("X-Forwarded-Proto", "http")
                    .set("X-Forwarded-Host", String.valueOf(received.getHeader("Host")))
                    .set("X-Forwarded-Port", port)
                    .set("Via", "1.1 vertx")
                    .set("X-Request-Id", new UUID(random.nextLong(), random.nextLong()).toString());
            return context.sendRequest();
        }
    }
}
