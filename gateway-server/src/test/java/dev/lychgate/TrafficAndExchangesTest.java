package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The admin pages about traffic and about single exchanges. */
@Tag("slow")
class TrafficAndExchangesTest extends AdministeredGateway {
    private JsonNode route(JsonNode traffic, String id) {
        return StreamSupport.stream(traffic.path("routes").spliterator(), false)
                .filter(route -> route.path("id").asText().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theTrafficSinceAnEarlierPollIsShownByRoute() throws Exception {
        client("/api/before");
        // An exchange is counted after its response was sent.
        eventually(() -> assertThat(ask("GET", "/metrics").body())
                .contains("lychgate_requests_total{error=\"none\",route=\"api\",side=\"none\",status=\"2xx\"} 1.0"));
        JsonNode first = get("/traffic");
        assertThat(first.path("seconds").asDouble()).isZero();
        assertThat(route(first, "api").path("rate").asDouble()).isZero();
        eventually(() ->
                assertThat(route(get("/traffic"), "api").path("total").asInt()).isEqualTo(1));

        for (int i = 0; i < 20; i++) {
            client("/api/x");
        }
        client("/nowhere");
        failed();

        eventually(() -> {
            JsonNode traffic = get("/traffic");
            double seconds = traffic.path("seconds").asDouble();
            assertThat(seconds).isBetween(0.001, 30.0);
            JsonNode api = route(traffic, "api");
            assertThat(api.path("total").asInt()).isEqualTo(22);
            assertThat(api.at("/statuses/2xx").asInt()).isEqualTo(20);
            assertThat(api.at("/statuses/5xx").asInt()).isEqualTo(1);
            assertThat(api.path("rate").asDouble() * seconds).isBetween(20.9, 21.1);
            assertThat(api.path("error_rate").asDouble() * seconds).isBetween(0.9, 1.1);
            assertThat(api.path("p50_ms").asDouble()).isPositive();
            assertThat(api.path("p99_ms").asDouble())
                    .isGreaterThanOrEqualTo(api.path("p50_ms").asDouble());
            assertThat(route(traffic, "-").path("error_rate").asDouble())
                    .as("faults of clients are no errors")
                    .isZero();
            assertThat(route(traffic, "beta").has("p50_ms"))
                    .as("a route without traffic")
                    .isFalse();
        });
    }

    @Test
    void aFailedExchangeIsFoundByItsIdWithItsWholeRecord() throws Exception {
        JsonNode failed = failed();
        assertThat(failed.path("error").asText()).isEqualTo("circuit-open");
        assertThat(failed.path("status").asInt()).isEqualTo(503);
        assertThat(failed.path("route").asText()).isEqualTo("api");
        assertThat(failed.path("filters"))
                .extracting(filter -> filter.path("filter").asText())
                .contains("set-request-header authorization", "stamp", "guard");
        assertThat(get("/exchanges/one?id=" + failed.path("id").asText())).isEqualTo(failed);
        assertThat(get("/exchanges?reason=slow").path("exchanges")).isEmpty();
    }

    @Test
    void theKindsOfRecordedExchangesAreListedAndSelected() throws Exception {
        failed();
        JsonNode kind = get("/exchanges").at("/kinds/0");
        assertThat(kind.path("reason").asText()).isEqualTo("failed");
        assertThat(kind.path("route").asText()).isEqualTo("api");
        assertThat(kind.path("error").asText()).isEqualTo("circuit-open");
        assertThat(kind.path("kept").asInt()).isEqualTo(1);
        assertThat(kind.path("recorded").asInt()).isEqualTo(1);
        assertThat(get("/exchanges?route=api&error=circuit-open").path("exchanges"))
                .hasSize(1);
        assertThat(get("/exchanges?route=api&error=reset").path("exchanges")).isEmpty();
        assertThat(get("/exchanges?route=beta").path("exchanges")).isEmpty();
    }

    @Test
    void anExchangeThatIsNotRecordedIsNotFound() throws Exception {
        assertThat(ask("GET", "/exchanges/one?id=nobody").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"reason=quick", "limit=0", "limit=1001", "limit=x", "limit=99999", "limit=1&limit=2"})
    void malformedParametersAreRejected(String query) throws Exception {
        assertThat(ask("GET", "/exchanges?" + query).status()).isEqualTo(400);
    }
}
