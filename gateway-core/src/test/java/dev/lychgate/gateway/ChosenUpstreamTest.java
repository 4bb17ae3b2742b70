package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An upstream that a filter chooses on a route without one. */
class ChosenUpstreamTest {
    /** The place of the choice. */
    private enum By {
        GLOBAL_FILTER,
        FILTER_OF_THE_ROUTE,
        ENDPOINT_FILTER;

        FilterSet filters() {
            Filter filter = new Chooser(this == ENDPOINT_FILTER ? FilterPhase.ENDPOINT : FilterPhase.INBOUND);
            return this == GLOBAL_FILTER
                    ? FilterSet.of(filter)
                    : FilterSet.EMPTY.with(filter, Set.of("fixed", "moved", "rewritten"));
        }
    }

    /** Selects the upstream "origin" for requests that name it. */
    private record Chooser(FilterPhase phase) implements SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            if (exchange.getRequest().getHeaders().contains("x-proxy")) {
                exchange.setUpstream("origin");
                assertThat(exchange.getUpstream()).isEqualTo("origin");
            } else {
                exchange.setResponseTimeout(Duration.ofSeconds(7));
            }
            return exchange.proceed();
        }
    }

    @ParameterizedTest
    @EnumSource
    void receivesTheRequestInsteadOfTheResponseOfTheRoute(By by) throws Exception {
        RouteAction fixed = new RouteAction.Respond(200, Map.of(), "fixed");
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(r.target() + r.body())));
                Running gateway = Setup.to(origin.address())
                        .route("fixed", "/fixed", fixed)
                        .route("moved", "/moved", new RouteAction.Redirect(302, "/new"))
                        .route("rewritten", "/a/**", new RewriteConfig(1, null, null, false), fixed)
                        .filters(by.filters())
                        .start();
                RawClient client = gateway.client()) {
            assertThat(proxied(client, "/fixed").body()).isEqualTo("/fixedbody");
            RawMessage moved = proxied(client, "/moved");
            assertThat(moved.status()).isEqualTo(200);
            assertThat(moved.body()).isEqualTo("/movedbody");
            assertThat(proxied(client, "/a/b").body()).isEqualTo("/bbody");

            assertThat(client.get("/fixed").body()).isEqualTo("fixed");
            assertThat(client.get("/moved").status()).isEqualTo(302);
        }
    }

    private static RawMessage proxied(RawClient client, String path) throws Exception {
        return client.send("POST " + path + " HTTP/1.1\r\nHost: a\r\nX-Proxy: 1\r\nContent-Length: 4\r\n\r\nbody")
                .readResponse();
    }
}
