package dev.lychgate.filters.builtin;

import static dev.lychgate.filters.builtin.Filtered.global;
import static dev.lychgate.filters.builtin.Filtered.onRoute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.testing.RawMessage;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Responses of the filters that respond in place of an origin. */
class RespondingFiltersTest {
    @Test
    void redirectsToTheTargetOfTheTemplate() throws Exception {
        Map<String, Object> settings = Map.of("status", 308, "location", "https://new.example{path}{query}");
        try (Filtered way = Filtered.by(onRoute("redirect", settings))) {
            RawMessage response = way.get("/a/b?c=1");
            assertThat(response.status()).isEqualTo(308);
            assertThat(response.value("location")).hasValue("https://new.example/a/b?c=1");
            assertThat(way.origin.requests()).isEmpty();
        }
    }

    @Test
    void redirectsToHttps() throws Exception {
        try (Filtered way = Filtered.by(global("redirect", Map.of("https", true)))) {
            RawMessage response = way.get("/a?b");
            assertThat(response.status()).isEqualTo(302);
            assertThat(response.value("location")).hasValue("https://a.example/a?b");
            assertThat(way.send("GET /", "X-Forwarded-Proto: https\r\n").status())
                    .as("not a trusted proxy")
                    .isEqualTo(302);
        }
    }

    @Test
    void acceptsRequestsThatReachedATrustedProxyByHttps() throws Exception {
        try (Filtered way = Filtered.behindProxy(global("redirect", Map.of("https", true)))) {
            assertThat(way.send("GET /", "X-Forwarded-Proto: https\r\n").status())
                    .isEqualTo(200);
            assertThat(way.send("GET /", "X-Forwarded-Proto: http\r\n").status())
                    .isEqualTo(302);
        }
    }

    @Test
    void refusesRedirectsWithoutATarget() {
        assertThatThrownBy(() -> global("redirect", Map.of()))
                .hasMessageContaining("exactly one of location and https");
        assertThatThrownBy(() -> global("redirect", Map.of("location", "/", "https", true)))
                .hasMessageContaining("exactly one of location and https");
        assertThatThrownBy(() -> global("redirect", Map.of("location", "/", "status", 200)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("status: ");
        assertThatThrownBy(() -> global("redirect", Map.of("location", "/{nothing}")))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("location: ");
    }

    @Test
    void respondsInPlaceOfTheUpstream() throws Exception {
        Map<String, Object> settings = Map.of(
                "status",
                503,
                "headers",
                Map.of("Content-Type", "text/html", "Retry-After", "60"),
                "body",
                "<p>\u00e4");
        try (Filtered way = Filtered.by(onRoute("respond", settings))) {
            RawMessage response = way.get("/");
            assertThat(response.status()).isEqualTo(503);
            assertThat(response.values("content-type")).containsExactly("text/html");
            assertThat(response.value("retry-after")).hasValue("60");
            assertThat(response.value("content-length")).hasValue("5");
            assertThat(way.origin.requests()).isEmpty();
        }
    }

    @Test
    void sendsTheConfiguredTypeWithoutABody() throws Exception {
        Map<String, Object> settings = Map.of("status", 200, "headers", Map.of("Content-Type", "text/html"));
        try (Filtered way = Filtered.by(onRoute("respond", settings))) {
            assertThat(way.get("/").values("content-type")).containsExactly("text/html");
        }
    }

    @Test
    void refusesTwoFieldsWithNamesThatDifferOnlyInCase() {
        Map<String, Object> headers = new java.util.LinkedHashMap<>();
        headers.put("Content-Type", "text/html");
        headers.put("content-type", "text/plain");
        assertThatThrownBy(() -> global("respond", Map.of("headers", headers)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("headers: content-type");
    }

    @Test
    void respondsWithPlainTextByDefault() throws Exception {
        try (Filtered way = Filtered.by(onRoute("respond", Map.of("body", "hello")))) {
            RawMessage response = way.get("/");
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.value("content-type")).hasValue("text/plain; charset=utf-8");
            assertThat(response.body()).isEqualTo("hello");
        }
        assertThatThrownBy(() -> global("respond", Map.of("headers", Map.of("Host", "a"))))
                .isInstanceOf(ConfigException.class);
    }
}
