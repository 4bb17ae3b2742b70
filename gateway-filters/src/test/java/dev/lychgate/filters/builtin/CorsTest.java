package dev.lychgate.filters.builtin;

import static dev.lychgate.filters.builtin.Filtered.global;
import static dev.lychgate.filters.builtin.Filtered.onRoute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.access.AccessSet;
import dev.lychgate.access.AuthenticateSection;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AuthenticateConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.filter.Authentication;
import dev.lychgate.filter.Authenticator;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.testing.RawMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The headers of {@code cors} for browsers, by the rules of the Fetch standard. */
@Tag("slow")
class CorsTest {
    private static final Map<String, Object> ANYONE = Map.of("origins", List.of("*"));
    private static final Map<String, Object> SOME = Map.of(
            "origins", List.of("https://app.example", "https://*.apps.example:8443"),
            "credentials", true,
            "methods", List.of("GET", "PUT"),
            "headers", List.of("content-type", "x-a"),
            "expose", List.of("etag"),
            "max-age", Duration.ofMinutes(10));
    private static final String PREFLIGHT = "Origin: https://app.example\r\nAccess-Control-Request-Method: PUT\r\n";

    @Test
    void respondsToPreflightsOfAllowedOriginsWithThePolicy() throws Exception {
        try (Filtered way = Filtered.by(global("cors", SOME))) {
            RawMessage response = way.send("OPTIONS /", PREFLIGHT);
            assertThat(response.status()).isEqualTo(204);
            assertThat(response.values("access-control-allow-origin")).containsExactly("https://app.example");
            assertThat(response.values("access-control-allow-credentials")).containsExactly("true");
            assertThat(response.values("access-control-allow-methods")).containsExactly("GET, PUT");
            assertThat(response.values("access-control-allow-headers")).containsExactly("content-type, x-a");
            assertThat(response.values("access-control-max-age")).containsExactly("600");
            assertThat(response.values("vary")).containsExactly("Origin");
            assertThat(way.origin.requests()).isEmpty();
        }
    }

    /** Knows no sender. */
    private record Stranger() implements Authenticator {
        @Override
        public @Nullable String challenge() {
            return null;
        }

        @Override
        public CompletionStage<Authentication> authenticate(FilterExchange exchange) {
            return CompletableFuture.completedFuture(Authentication.absent());
        }
    }

    @ParameterizedTest
    @CsvSource({"global, true", "global, false", "route, true", "route, false"})
    void respondsToPreflightsBeforeTheAuthentication(String place, boolean ofListener) throws Exception {
        AuthenticateSection section = new AuthenticateSection(
                new AuthenticateConfig(false, List.of(new FilterConfig("test", Map.of())), Map.of()),
                List.of(new AuthenticateSection.Named("test", new Stranger())));
        FilterSet cors = place.equals("global") ? global("cors", SOME) : onRoute("cors", SOME);
        try (Filtered way = Filtered.by(cors.with(new AccessSet(
                ofListener ? section : null,
                Map.of(),
                ofListener ? Map.of() : Map.of("all", section),
                List.of(),
                Map.of())))) {
            RawMessage response = way.send("OPTIONS /", PREFLIGHT);
            assertThat(response.status()).isEqualTo(204);
            assertThat(response.values("access-control-allow-origin")).containsExactly("https://app.example");
            assertThat(response.values("access-control-allow-methods")).containsExactly("GET, PUT");
            RawMessage foreign =
                    way.send("OPTIONS /", "Origin: https://evil.example\r\nAccess-Control-Request-Method: PUT\r\n");
            assertThat(foreign.status()).isEqualTo(403);
            RawMessage request = way.send("GET /", "Origin: https://app.example\r\n");
            assertThat(request.status()).isEqualTo(401);
            assertThat(way.origin.requests()).isEmpty();
        }
    }

    @Test
    void rejectsPreflightsOfOtherOriginsWith403() throws Exception {
        try (Filtered way = Filtered.by(onRoute("cors", SOME))) {
            RawMessage response =
                    way.send("OPTIONS /", "Origin: https://evil.example\r\nAccess-Control-Request-Method: PUT\r\n");
            assertThat(response.status()).isEqualTo(403);
            assertThat(response.has("access-control-allow-origin")).isFalse();
            assertThat(response.values("vary")).containsExactly("Origin");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Origin: https://app.example\r\nOrigin: https://evil.example\r\n",
                "Origin: https://app.example\r\nOrigin: https://app.example\r\n"
            })
    void treatsSeveralOriginsAsNone(String origins) throws Exception {
        try (Filtered way = Filtered.by(global("cors", SOME))) {
            RawMessage preflight = way.send("OPTIONS /", origins + "Access-Control-Request-Method: PUT\r\n");
            assertThat(preflight.status()).isEqualTo(403);
            assertThat(preflight.has("access-control-allow-origin")).isFalse();
            RawMessage response = way.send("GET /", origins);
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.has("access-control-allow-origin")).isFalse();
            assertThat(response.has("access-control-allow-credentials")).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Origin: https://app.example\r\n", "Access-Control-Request-Method: PUT\r\n", ""})
    void passesOptionsRequestsThatAreNotPreflights(String fields) throws Exception {
        try (Filtered way = Filtered.by(global("cors", SOME))) {
            assertThat(way.send("OPTIONS /", fields).status()).isEqualTo(200);
            assertThat(way.received().method()).isEqualTo("OPTIONS");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "https://app.example, true",
        "https://APP.example, true",
        "https://a.apps.example:8443, true",
        "https://a.b.apps.example:8443, true",
        "https://apps.example:8443, false",
        "https://a.apps.example, false",
        "http://app.example, false",
        "https://app.example:444, false",
        "https://app.example.evil.example, false",
        "https://evilapps.example:8443, false",
        "https://evil.example/.apps.example:8443, false",
        "https://a@.apps.example:8443, false",
        "null, false",
    })
    void allowsOnlyListedOriginsToReadResponses(String origin, boolean allowed) throws Exception {
        try (Filtered way = Filtered.by(global("cors", SOME))) {
            RawMessage response = way.send("GET /", "Origin: " + origin + "\r\n");
            assertThat(response.status())
                    .as("the browser checks which origins may read it")
                    .isEqualTo(200);
            assertThat(response.has("access-control-allow-origin")).isEqualTo(allowed);
            assertThat(response.has("access-control-expose-headers")).isEqualTo(allowed);
            assertThat(response.values("vary")).containsExactly("Origin");
        }
    }

    @Test
    void addsVaryOnceAlsoWithoutAnOrigin() throws Exception {
        try (Filtered way = Filtered.answering("Vary: accept, origin\r\n", global("cors", SOME))) {
            assertThat(way.get("/").values("vary")).containsExactly("accept, origin");
        }
    }

    @Test
    void replacesTheHeadersOfTheOriginServer() throws Exception {
        String said = "Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Credentials: true\r\n";
        try (Filtered way = Filtered.answering(said, global("cors", SOME))) {
            RawMessage response = way.get("/");
            assertThat(response.has("access-control-allow-origin")).isFalse();
            assertThat(response.has("access-control-allow-credentials")).isFalse();
        }
    }

    @Test
    void sendsTheSameHeadersToAllIfEveryOriginIsAllowed() throws Exception {
        try (Filtered way = Filtered.by(onRoute("cors", ANYONE))) {
            for (String fields : List.of("", "Origin: null\r\n", "Origin: https://a\r\n")) {
                RawMessage response = way.send("GET /", fields);
                assertThat(response.values("access-control-allow-origin")).containsExactly("*");
                assertThat(response.has("vary")).as("a cache may share it").isFalse();
            }
            assertThat(way.send("OPTIONS /", PREFLIGHT).values("access-control-allow-methods"))
                    .containsExactly("GET, HEAD, POST");
        }
    }

    @Test
    void prefersThePolicyOfTheRoute() throws Exception {
        try (Filtered way = Filtered.by(onRoute("cors", SOME).with(global("cors", ANYONE)))) {
            assertThat(way.send("GET /", "Origin: https://app.example\r\n").values("access-control-allow-origin"))
                    .containsExactly("https://app.example");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"origins", "methods", "headers", "expose"})
    void refusesWildcardsWithCredentials(String key) {
        Map<String, Object> settings = new java.util.HashMap<>(SOME);
        settings.put(key, List.of("*"));
        assertThatThrownBy(() -> global("cors", settings))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(key + ": *");
    }

    @ParameterizedTest
    @ValueSource(strings = {"app.example", "https://app.example/", "https://*", "https://a.*.example", "null", "*.a"})
    void refusesMalformedOrigins(String origin) {
        assertThatThrownBy(() -> global("cors", Map.of("origins", List.of(origin, "https://a"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("origins: ");
    }
}
