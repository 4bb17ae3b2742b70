package dev.lychgate.peers;

import java.net.URI;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.RouteToRequestUrlFilter;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.UriComponentsBuilder;
import reactor.core.publisher.Mono;

/** Spring Cloud Gateway on one worker of Reactor Netty. Arguments: its port, then the ports of the origins. */
@SpringBootApplication
public class ScgPeer {
    private static final String WEBFLUX = "spring.cloud.gateway.server.webflux.";

    public static void main(String[] ports) {
        System.setProperty("reactor.netty.ioWorkerCount", "1");
        SpringApplication application = new SpringApplication(ScgPeer.class);
        application.setBannerMode(Banner.Mode.OFF);
        application.setDefaultProperties(Map.of(
                "server.address", "127.0.0.1",
                "server.port", ports[0],
                "logging.level.root", "WARN",
                "origins", String.join(",", Arrays.copyOfRange(ports, 1, ports.length)),
                // It adds X-Forwarded-* only for those it trusts.
                WEBFLUX + "trusted-proxies", ".*",
                WEBFLUX + "httpclient.pool.type", "FIXED",
                WEBFLUX + "httpclient.pool.max-connections", "16384",
                WEBFLUX + "httpclient.pool.max-idle-time", "60s"));
        application.run();
    }

    @Bean
    RouteLocator routes(RouteLocatorBuilder builder, Environment environment) {
        String first = origins(environment)[0];
        return builder.routes()
                .route("all", all -> all.path("/**")
                        .filters(filters -> filters.preserveHostHeader().setRequestHeader("Via", "1.1 scg"))
                        .uri("http://127.0.0.1:" + first))
                .build();
    }

    @Bean
    GlobalFilter forwarding(Environment environment) {
        return new Forwarding(
                Stream.of(origins(environment)).mapToInt(Integer::parseInt).toArray());
    }

    private static String[] origins(Environment environment) {
        return environment.getRequiredProperty("origins").split(",");
    }

    /** Adds X-Request-Id, and chooses among several origins in turn. */
    private static final class Forwarding implements GlobalFilter, Ordered {
        private final int[] origins;
        private int next;

        Forwarding(int[] origins) {
            this.origins = origins;
        }

        @Override
        public int getOrder() {
            return RouteToRequestUrlFilter.ROUTE_TO_URL_FILTER_ORDER + 1;
        }

        @Override
        public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
            if (origins.length > 1) {
                next = (next + 1) % origins.length;
                URI url = exchange.getRequiredAttribute(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR);
                URI chosen = UriComponentsBuilder.fromUri(url).port(origins[next]).build(true).toUri();
                exchange.getAttributes().put(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR, chosen);
            }
            ThreadLocalRandom random = ThreadLocalRandom.current();
            String id = new UUID(random.nextLong(), random.nextLong()).toString();
            return chain.filter(exchange.mutate()
                    .request(request -> request.header("X-Request-Id", id))
                    .build());
        }
    }
}
