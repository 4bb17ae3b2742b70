package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.RouteAction;
import dev.lychgate.filter.EndpointFilter;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.testing.RawClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An inbound filter chooses the endpoint filter by its name. */
class ChosenEndpointFilterTest {
    /** Chooses the endpoint filter that the header x-endpoint names. */
    private record Chooser() implements InboundFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            String wanted = exchange.getRequest().getHeaders().get("x-endpoint");
            assertThat(exchange.getEndpointFilter()).isNull();
            if (wanted != null) {
                exchange.setEndpointFilter(wanted);
                assertThat(exchange.getEndpointFilter()).isEqualTo(wanted);
            }
            return exchange.proceed();
        }
    }

    /** Responds with its name, or lets the route respond. */
    private record Responder(String name, boolean onlyIfChosen) implements EndpointFilter, SyncFilter {
        @Override
        public boolean applies(FilterExchange exchange) {
            return !onlyIfChosen || name.equals(exchange.getEndpointFilter());
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            assertThatIllegalStateException().isThrownBy(() -> exchange.setEndpointFilter(name));
            return name.equals("silent") ? exchange.proceed() : exchange.respond(200, name);
        }
    }

    private static String body(RawClient client, @Nullable String chosen) throws Exception {
        String field = chosen == null ? "" : "x-endpoint: " + chosen + "\r\n";
        return client.send("GET /fixed HTTP/1.1\r\nHost: a\r\n" + field + "\r\n")
                .readResponse()
                .body();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void runsInsteadOfTheEndpointFiltersOfTheRoute(boolean globalChooser) throws Exception {
        Filter chooser = new Chooser();
        FilterSet filters = (globalChooser ? FilterSet.of(chooser) : FilterSet.EMPTY.with(chooser, Set.of("fixed")))
                .with(new Responder("ordinary", false), Set.of("fixed"))
                .with(new Responder("status", true), Set.of())
                .with(new Responder("silent", true), Set.of())
                .with(new Responder("elsewhere", true), Set.of("other"));
        try (Running gateway = Setup.to(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1))
                        .route("fixed", "/fixed", new RouteAction.Respond(200, Map.of(), "fixed"))
                        .route("other", "/other", new RouteAction.Respond(200, Map.of(), "other"))
                        .filters(filters)
                        .start();
                RawClient client = gateway.client()) {
            assertThat(body(client, null)).isEqualTo("ordinary");
            assertThat(body(client, "status")).isEqualTo("status");
            assertThat(body(client, "elsewhere")).isEqualTo("elsewhere");
            assertThat(body(client, "silent")).isEqualTo("fixed");
            assertThat(body(client, "unknown")).contains("500");
            assertThat(body(client, null)).isEqualTo("ordinary");
        }
    }
}
