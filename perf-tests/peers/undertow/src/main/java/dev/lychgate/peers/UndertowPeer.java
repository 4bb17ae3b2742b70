package dev.lychgate.peers;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.attribute.ExchangeAttribute;
import io.undertow.attribute.ExchangeAttributes;
import io.undertow.attribute.ReadOnlyAttributeException;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.proxy.LoadBalancingProxyClient;
import io.undertow.server.handlers.proxy.ProxyHandler;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.net.URI;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.xnio.Options;

/** Undertow's proxy handler on one I/O thread. Arguments: its port, then the ports of the origins. */
public final class UndertowPeer {
    private static final int CONNECTIONS = 16_384;

    private UndertowPeer() {}

    public static void main(String[] ports) {
        LoadBalancingProxyClient origins = new LoadBalancingProxyClient()
                .setConnectionsPerThread(CONNECTIONS)
                .setSoftMaxConnectionsPerThread(CONNECTIONS)
                .setMaxQueueSize(CONNECTIONS)
                .setTtl(60_000);
        for (int i = 1; i < ports.length; i++) {
            origins.addHost(URI.create("http://127.0.0.1:" + ports[i]));
        }
        // It adds X-Forwarded-For, -Proto, -Host and -Port automatically.
        ProxyHandler proxy = ProxyHandler.builder()
                .setProxyClient(origins)
                .setMaxRequestTime(-1)
                .addRequestHeader(Headers.VIA, ExchangeAttributes.constant("1.1 undertow"))
                .addRequestHeader(new HttpString("X-Request-Id"), new RequestId())
                .build();
        Undertow.builder()
                .addHttpListener(Integer.parseInt(ports[0]), "127.0.0.1")
                .setIoThreads(1)
                .setWorkerThreads(1)
                .setSocketOption(Options.BACKLOG, 4096)
                // Larger bodies than 2 MB are refused otherwise.
                .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, -1L)
                .setHandler(proxy)
                .build()
                .start();
    }

    private static final class RequestId implements ExchangeAttribute {
        @Override
        public String readAttribute(HttpServerExchange exchange) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            return new UUID(random.nextLong(), random.nextLong()).toString();
        }

        @Override
        public void writeAttribute(HttpServerExchange exchange, String value) throws ReadOnlyAttributeException {
            throw new ReadOnlyAttributeException("request id", value);
        }
    }
}
