package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.server.metrics.PrometheusText;
import dev.lychgate.testing.RawClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Filters on the pages for operators. */
@Tag("slow")
class FiltersSeenTest {
    @Test
    void pageAndMetricsShowFiltersTheirRoutesAndCounters() throws Exception {
        FilterConfig tier = new FilterConfig("set-request-header", Map.of("name", "x-tier", "value", "gold"));
        RouteAction hello = new RouteAction.Respond(200, Map.of(), "hello");
        LychgateBuilder builder = Lychgate.builder()
                .listener("main", "127.0.0.1:0")
                .route(route("a", hello).withFilters(tier))
                .route(route("b", hello).withFilters(tier))
                .filters(FiltersConfig.global(new FilterConfig(
                        "size-limit", Map.of("limit", new dev.lychgate.config.ByteSize(1), "order", 7))))
                .admin("127.0.0.1:0");
        try (Lychgate gateway = builder.start();
                RawClient client = connect(gateway.port("main"));
                RawClient admin = connect(gateway.adminPort())) {
            client.get("/a");
            client.get("/a");
            client.get("/b");

            JsonNode page = new ObjectMapper().readTree(get(admin, "/filters"));
            assertThat(page.path("generation").asInt()).isEqualTo(1);
            assertThat(page.path("filters")).hasSize(3);
            JsonNode limit = page.at("/filters/0");
            assertThat(limit.path("name").asText()).isEqualTo("size-limit");
            assertThat(limit.path("phase").asText()).isEqualTo("inbound");
            assertThat(limit.path("form").asText()).isEqualTo("sync");
            assertThat(limit.path("order").asInt()).isEqualTo(7);
            assertThat(limit.path("global").asBoolean()).isTrue();
            assertThat(limit.path("routes")).isEmpty();
            assertThat(limit.path("on_failure").asText()).isEqualTo("fail-closed");
            assertThat(limit.path("timeout_ms").asInt()).isEqualTo(5000);
            assertThat(limit.path("ejected").asBoolean(true)).isFalse();
            assertThat(limit.path("runs").asInt()).isEqualTo(3);
            assertThat(page.at("/filters/1/routes/0").asText()).isEqualTo("a");
            assertThat(page.at("/filters/2/routes/0").asText()).isEqualTo("b");

            PrometheusText metrics = PrometheusText.read(get(admin, "/metrics"));
            assertThat(runs(metrics, "size-limit")).isEqualTo(3);
            assertThat(runs(metrics, "set-request-header x-tier"))
                    .as("on both routes together")
                    .isEqualTo(3);
            assertThat(metrics.value("lychgate_filter_seconds_total", "phase", "inbound", "filter", "size-limit"))
                    .isPositive();

            gateway.apply(builder.filters(FiltersConfig.DEFAULT).config());
            metrics = PrometheusText.read(get(admin, "/metrics"));
            assertThat(metrics.has("lychgate_filter_runs_total", "filter", "size-limit"))
                    .isFalse();
            assertThat(runs(metrics, "set-request-header x-tier"))
                    .as("over generations")
                    .isEqualTo(3);
        }
    }

    @Test
    void theRoutesPageShowsTheFiltersOfEachRouteInOrder() throws Exception {
        RouteAction hello = new RouteAction.Respond(200, Map.of(), "hello");
        FilterConfig tier =
                new FilterConfig("set-request-header", Map.of("name", "x-tier", "value", "gold", "order", 9));
        FilterConfig out = new FilterConfig("remove-response-header", Map.of("name", "server"));
        try (Lychgate gateway = Lychgate.builder()
                        .listener("main", "127.0.0.1:0")
                        .route(route("a", hello).withFilters(out, tier, FilterConfig.of("request-id")))
                        .route(route("b", hello))
                        .filter(new Sieve())
                        .admin("127.0.0.1:0")
                        .start();
                RawClient admin = connect(gateway.adminPort())) {
            JsonNode page = new ObjectMapper().readTree(get(admin, "/routes"));

            String sieve = "inbound Sieve 0 blocking dev.lychgate.FiltersSeenTest$Sieve";
            assertThat(filters(page.at("/routes/0")))
                    .containsExactly(
                            sieve,
                            "inbound request-id x-request-id 0 sync built-in",
                            "inbound set-request-header x-tier 9 sync built-in",
                            "outbound remove-response-header server 0 sync built-in",
                            "outbound request-id x-request-id 0 sync built-in");
            assertThat(filters(page.at("/routes/1"))).containsExactly(sieve);
            assertThat(filters(page.at("/no_route"))).containsExactly(sieve);
            assertThat(new ObjectMapper()
                            .readTree(get(admin, "/filters"))
                            .at("/filters/0/source")
                            .asText())
                    .isEqualTo("built-in");
        }
    }

    private static List<String> filters(JsonNode of) {
        List<String> lines = new ArrayList<>();
        for (JsonNode filter : of.path("filters")) {
            List<String> words = new ArrayList<>();
            filter.forEach(word -> words.add(word.asText()));
            lines.add(String.join(" ", words));
        }
        return lines;
    }

    private static final class Sieve implements InboundFilter, BlockingFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return exchange.proceed();
        }
    }

    private static String get(RawClient admin, String page) throws Exception {
        return admin.send("GET " + page + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .readResponse()
                .body();
    }

    private static double runs(PrometheusText metrics, String filter) {
        return metrics.value("lychgate_filter_runs_total", "phase", "inbound", "filter", filter);
    }

    private static RouteConfig route(String id, RouteAction action) {
        return new RouteConfig(id, 0, MatchConfig.path("/" + id), RewriteConfig.NONE, action, RouteTimeouts.UNSET);
    }

    private static RawClient connect(int port) throws Exception {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }
}
