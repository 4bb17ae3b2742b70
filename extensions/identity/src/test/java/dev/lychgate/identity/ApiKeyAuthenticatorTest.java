package dev.lychgate.identity;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filters.testing.SentRequest;
import dev.lychgate.filters.testing.TestExchange;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiKeyAuthenticatorTest {
    private static final String KEY = ApiKeysTest.KEY;
    private static final String OTHER = ApiKeysTest.OTHER;
    private static final Instant NOW = Instant.parse("2027-01-15T00:00:00Z");

    @TempDir
    Path home = Path.of("");

    @BeforeEach
    void writeKeys() throws Exception {
        Files.writeString(
                home.resolve("keys.txt"),
                ApiKeysTest.digest(KEY) + " id=orders-1 owner=orders expires=2027-02-01\n" + ApiKeysTest.digest(OTHER)
                        + " id=orders-0 owner=orders expires=2027-01-01\n");
    }

    private ApiKeySettings settings(
            @Nullable String header, @Nullable String cookie, @Nullable String query, boolean forward) {
        return new ApiKeySettings(home.resolve("keys.txt").toString(), header, cookie, query, forward);
    }

    private ApiKeyAuthenticator everywhere(boolean forward) {
        return new ApiKeyAuthenticator(
                settings("x-api-key", "key", "api_key", forward), Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private Asked ask(TestExchange exchange) {
        return Asked.ask(everywhere(false), exchange);
    }

    private static SentRequest sent(Asked asked) {
        return requireNonNull(asked.sent());
    }

    @Test
    void acceptsAKeyInFieldCookieOrQuery() {
        for (TestExchange exchange : List.of(
                TestExchange.get("/").header("X-API-Key", KEY),
                TestExchange.get("/").cookie("a", "b").cookie("key", KEY),
                TestExchange.get("/?a=b&api_key=" + KEY),
                TestExchange.get("/?api%5Fkey=%6cgk_" + KEY.substring(4)))) {
            Asked asked = ask(exchange);
            assertThat(asked.text()).isEqualTo("accepted orders");
            assertThat(asked.identity().claims()).containsEntry("key_id", "orders-1");
        }
    }

    @Test
    void removesTheKeyBeforeTheRequestIsForwarded() {
        assertThat(sent(ask(TestExchange.get("/").header("X-Api-Key", KEY))).header("x-api-key"))
                .isNull();
        assertThat(sent(ask(TestExchange.get("/").cookie("a", "b").cookie("key", KEY)))
                        .getCookies())
                .containsOnlyKeys("a");
        assertThat(sent(ask(TestExchange.get("/?a=b%2f&api_key=" + KEY + "&c"))).getQuery())
                .isEqualTo("a=b%2f&c");
        assertThat(sent(ask(TestExchange.get("/?api_key=" + KEY))).getQuery()).isNull();
    }

    @Test
    void forwardsTheKeyIfConfiguredExceptInTheQuery() {
        assertThat(sent(Asked.ask(everywhere(true), TestExchange.get("/").header("X-Api-Key", KEY)))
                        .header("x-api-key"))
                .isEqualTo(KEY);
        assertThat(sent(Asked.ask(everywhere(true), TestExchange.get("/").cookie("key", KEY)))
                        .getCookies())
                .containsEntry("key", KEY);
        assertThat(sent(Asked.ask(everywhere(true), TestExchange.get("/?api_key=" + KEY)))
                        .getQuery())
                .isNull();
    }

    /** An origin may read a field with underscores instead of the verified one. */
    @Test
    void removesFieldsThatAnOriginMayReadAsTheSameName() {
        for (boolean forward : new boolean[] {false, true}) {
            SentRequest sent = sent(Asked.ask(
                    everywhere(forward),
                    TestExchange.get("/").header("X-Api-Key", KEY).header("X_Api_Key", "another")));
            assertThat(sent.header("x_api_key")).isNull();
            Asked absent = Asked.ask(everywhere(forward), TestExchange.get("/").header("x_api-key", KEY));
            assertThat(absent.text()).isEqualTo("absent");
            assertThat(sent(absent).header("x_api-key")).isNull();
        }
    }

    @Test
    void leavesRequestsWithoutAKeyToOtherAuthenticators() {
        for (TestExchange exchange : List.of(
                TestExchange.get("/"),
                TestExchange.get("/?a=b").cookie("keys", KEY),
                TestExchange.get("/").header("Authorization", "Bearer " + KEY),
                TestExchange.get("/?API_KEY=" + KEY),
                TestExchange.get("/?x=api_key=" + KEY))) {
            assertThat(ask(exchange).text()).isEqualTo("absent");
        }
        assertThat(everywhere(false).challenge()).isEqualTo("ApiKey");
    }

    @Test
    void refusesSeveralKeysEvenIfTheyAreEqual() {
        for (TestExchange exchange : List.of(
                TestExchange.get("/").header("X-Api-Key", KEY).header("x-api-key", KEY),
                TestExchange.get("/").header("X-Api-Key", KEY).header("x-api-key", ""),
                TestExchange.get("/").header("Cookie", "key=" + KEY + "; key=" + KEY),
                TestExchange.get("/").header("Cookie", "key=" + KEY).header("Cookie", "key=other"),
                TestExchange.get("/?api_key=" + KEY + "&api%5fkey=" + KEY),
                TestExchange.get("/?api_key=" + KEY).header("X-Api-Key", KEY),
                TestExchange.get("/").cookie("key", KEY).header("X-Api-Key", KEY))) {
            assertThat(ask(exchange).text()).isEqualTo("400 the request has several API keys");
        }
    }

    @Test
    void refusesUnknownAndExpiredKeys() {
        assertThat(ask(TestExchange.get("/").header("X-Api-Key", OTHER)).text())
                .isEqualTo("401 the API key has expired");
        for (String unknown : List.of(
                "",
                "orders-1",
                KEY + "a",
                KEY.substring(1),
                KEY + ", " + KEY,
                "Bearer " + KEY,
                "\"" + KEY + "\"",
                KEY.replace('k', 'K'),
                KEY + "\u00a0",
                "\u00e9" + KEY,
                "a".repeat(60_000))) {
            Asked asked = ask(TestExchange.get("/").header("X-Api-Key", unknown));
            assertThat(asked.text()).isEqualTo("401 the API key is not accepted");
            assertThat(asked.sent()).isNull();
        }
        for (String query : List.of("%20" + KEY, KEY + "%00", KEY + "%0a", KEY + "%c2%a0", "+" + KEY, "")) {
            assertThat(ask(TestExchange.get("/?api_key=" + query)).text())
                    .as(query)
                    .isEqualTo("401 the API key is not accepted");
        }
        assertThat(ask(TestExchange.get("/").header("Cookie", "key=\"" + KEY + "\""))
                        .text())
                .isEqualTo("401 the API key is not accepted");
    }

    @Test
    void readsTheUsualFieldUnlessAnotherPlaceIsConfigured() {
        assertThat(settings(null, null, null, false).header()).isEqualTo("x-api-key");
        assertThat(settings(null, "key", null, false).header()).isNull();
        assertThat(settings(null, null, "apikey", false).header()).isNull();
    }

    @Test
    void refusesPlacesOfOtherCredentialsAndParametersThatLogsWouldShow() {
        for (String header : List.of("Authorization", "proxy-authorization", "Cookie", "Host", "content-length")) {
            assertThatThrownBy(() -> settings(header, null, null, false))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage("header: " + header + " (expected: a field for API keys alone, such as x-api-key)");
        }
        for (String query : List.of("k", "", "api key", "key&api_key", "x=api_key", "clé")) {
            assertThatThrownBy(() -> settings(null, null, query, false))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage("query: " + query
                            + " (expected: a parameter that logs mask by default, such as api_key, apikey or token)");
        }
    }
}
