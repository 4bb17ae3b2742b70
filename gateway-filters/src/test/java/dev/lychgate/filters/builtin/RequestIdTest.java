package dev.lychgate.filters.builtin;

import static dev.lychgate.filters.builtin.Filtered.global;
import static dev.lychgate.filters.builtin.Filtered.onRoute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.testing.RawMessage;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ids that {@code request-id} accepts and sends. */
@Tag("slow")
class RequestIdTest {
    private static final Map<String, Object> TRUSTING = Map.of("name", "X-Trace", "trust", true);

    @Test
    void sendsTheLoggedIdToTheClient() throws Exception {
        try (Filtered way = Filtered.by(global("request-id", Map.of()))) {
            RawMessage response = way.send("GET /", "X-Request-Id: forged\r\n");
            assertThat(response.values("x-request-id")).isEqualTo(way.received().values("x-request-id"));
            assertThat(response.value("x-request-id")).get().asString().matches("[0-9a-f]{24}");
        }
    }

    @Test
    void keepsAPlainIdOfATrustedClient() throws Exception {
        try (Filtered way = Filtered.by(onRoute("request-id", TRUSTING))) {
            assertThat(way.send("GET /", "X-Trace: abc-1\r\n").values("x-trace"))
                    .containsExactly("abc-1");
            assertThat(way.received().values("x-trace")).containsExactly("abc-1");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"X-Trace: a b\r\n", "X-Trace: \r\n", "X-Trace: a\r\nX-Trace: b\r\n", "X-Trace: <a>\r\n", ""})
    void createsAnIdIfThatOfTheClientIsNotPlain(String fields) throws Exception {
        try (Filtered way = Filtered.by(onRoute("request-id", TRUSTING))) {
            RawMessage response = way.send("GET /", fields);
            assertThat(response.value("x-trace")).get().asString().matches("[0-9a-f]{24}");
            assertThat(way.received().values("x-trace")).isEqualTo(response.values("x-trace"));
        }
    }

    @Test
    void omitsTheIdInResponsesIfConfigured() throws Exception {
        Map<String, Object> settings = Map.of("name", "x-trace", "respond", false);
        try (Filtered way = Filtered.by(global("request-id", settings))) {
            assertThat(way.get("/").has("x-trace")).isFalse();
            assertThat(way.received().has("x-trace")).isTrue();
        }
    }

    @Test
    void leavesXRequestIdToTrustedProxies() {
        assertThatThrownBy(() -> global("request-id", Map.of("trust", true))).hasMessageContaining("trusted-proxies");
    }
}
