package dev.lychgate.identity;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.PlainValues;
import dev.lychgate.filter.Authentication;
import dev.lychgate.filter.Identity;
import dev.lychgate.filters.testing.TestExchange;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class BasicAuthenticatorTest {
    private static final String CHALLENGE = "Basic realm=\"lychgate\", charset=\"UTF-8\"";
    private static final String MALFORMED = "400 the credentials are malformed";
    private static final String REFUSED = "401 the credentials are not accepted";

    /** The passwords of which a hash was computed. */
    private final List<String> computed = Collections.synchronizedList(new ArrayList<>());

    private Instant now = Instant.parse("2027-01-01T00:00:00Z");

    private final Clock clock = new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    };

    /** A hash that records its computations. */
    private final class Recorded implements PasswordHash {
        private final String password;

        Recorded(String password) {
            this.password = password;
        }

        @Override
        public boolean matches(byte[] given) {
            String text = new String(given, UTF_8);
            computed.add(text);
            return text.equals(password);
        }

        @Override
        public String kind() {
            return "recorded";
        }

        @Override
        public long memory() {
            return 0;
        }
    }

    private Passwords users() {
        return Passwords.of(Map.of(
                "alice", new Passwords.User(new Recorded("a:b c"), new Identity("basic", null, "alice")),
                "jürgen", new Passwords.User(new Recorded("grüße"), new Identity("basic", null, "jürgen"))));
    }

    private static BasicSettings settings(Map<String, Object> values) {
        return BasicSettings.KEYS.read(PlainValues.of(values));
    }

    private BasicAuthenticator authenticator(Map<String, Object> more, Executor threads) {
        Map<String, Object> values = new HashMap<>(more);
        values.put("file", "users");
        return new BasicAuthenticator(settings(values), users(), threads, clock);
    }

    private BasicAuthenticator authenticator() {
        return authenticator(Map.of(), Runnable::run);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private String ask(String authorization) {
        return Asked.ask(authenticator(), TestExchange.get("/").header("Authorization", authorization))
                .text();
    }

    private String askOf(String credentials) {
        return ask("Basic " + base64(credentials));
    }

    @Test
    void acceptsANameAndAPasswordInUtf8() {
        assertThat(askOf("alice:a:b c")).as("the first colon ends the name").isEqualTo("accepted alice");
        assertThat(askOf("jürgen:grüße")).isEqualTo("accepted jürgen");
        assertThat(ask("bAsIc   " + base64("alice:a:b c"))).isEqualTo("accepted alice");
        assertThat(authenticator().challenge()).isEqualTo(CHALLENGE);
    }

    @Test
    void removesTheCredentialsBeforeTheRequestIsForwarded() {
        String field = "Basic " + base64("alice:a:b c");
        Asked removed = Asked.ask(authenticator(), TestExchange.get("/").header("Authorization", field));
        assertThat(requireNonNull(removed.sent()).header("authorization")).isNull();
        Asked forwarded = Asked.ask(
                authenticator(Map.of("forward", true), Runnable::run),
                TestExchange.get("/").header("Authorization", field));
        assertThat(requireNonNull(forwarded.sent()).header("authorization")).isEqualTo(field);
    }

    @Test
    void leavesOtherSchemesToOtherAuthenticators() {
        assertThat(Asked.ask(authenticator(), TestExchange.get("/")).text()).isEqualTo("absent");
        for (String field : List.of("Bearer a.b.c", "Basically " + base64("alice:a:b c"), "", "Digest basic")) {
            assertThat(ask(field)).as(field).isEqualTo("absent");
        }
        assertThat(computed).isEmpty();
    }

    @Test
    void refusesSeveralAuthorizationFieldsIfOneIsBasic() {
        String field = "Basic " + base64("alice:a:b c");
        for (String other : List.of(field, "Bearer a.b.c", "")) {
            assertThat(Asked.ask(
                                    authenticator(),
                                    TestExchange.get("/")
                                            .header("Authorization", field)
                                            .header("Authorization", other))
                            .text())
                    .isEqualTo("400 the request has several Authorization fields");
        }
    }

    @Test
    void refusesMalformedCredentialsWithoutComputingAHash() {
        String good = base64("alice:a:b c");
        for (String token : List.of(
                "",
                "!",
                good + "=",
                good.replace("=", ""),
                good + ", Basic " + good,
                good.substring(0, 4) + " " + good.substring(4),
                "\"" + good + "\"",
                base64("alice"),
                base64("alice:a\0b"),
                base64("alice:a\nb"),
                base64("al\u007fice:a"),
                base64("alice:\u0085"))) {
            assertThat(ask("Basic " + token)).as(token).isEqualTo(MALFORMED);
        }
        // The alphabet of URLs, and unused bits that are not zero.
        assertThat(ask("Basic " + base64("a:\u07ff\u07ff").replace('+', '-').replace('/', '_')))
                .isEqualTo(MALFORMED);
        assertThat(ask("Basic YTpi")).isEqualTo(REFUSED);
        assertThat(ask("Basic YTo=")).isEqualTo(REFUSED);
        assertThat(ask("Basic YTp=")).isEqualTo(MALFORMED);
        assertThat(computed).as("of well-formed credentials alone").containsExactly("b", "");
    }

    @Test
    void refusesCredentialsInOtherCharsetsAndLongOnes() {
        byte[] latin1 = "jürgen:grüße".getBytes(ISO_8859_1);
        assertThat(ask("Basic " + Base64.getEncoder().encodeToString(latin1)))
                .isEqualTo("401 the credentials are not in UTF-8");
        assertThat(askOf("alice:" + "x".repeat(257))).isEqualTo("401 the credentials are too long");
        assertThat(askOf("a".repeat(800) + ":x")).isEqualTo("401 the credentials are too long");
        assertThat(ask("Basic " + "A".repeat(60_000))).isEqualTo("401 the credentials are too long");
        assertThat(computed).isEmpty();
        assertThat(askOf("alice:" + "x".repeat(256))).isEqualTo(REFUSED);
    }

    @Test
    void computesAsManyHashesForAnUnknownUserAsForAKnownOne() {
        for (String credentials : List.of("alice:wrong", "mallory:wrong", ":wrong", "alice :wrong", "Alice:wrong")) {
            computed.clear();
            assertThat(askOf(credentials)).isEqualTo(REFUSED);
            assertThat(computed).as(credentials).containsExactly("wrong");
        }
        assertThat(askOf("mallory:a:b c")).as("the stand-in's password").isEqualTo(REFUSED);
    }

    @Test
    void verifiesAcceptedCredentialsOncePerMinuteAndRefusedOnesEachTime() {
        BasicAuthenticator authenticator = authenticator();
        String good = "Basic " + base64("alice:a:b c");
        String bad = "Basic " + base64("alice:wrong");
        for (int i = 0; i < 3; i++) {
            assertThat(ask(authenticator, good)).isEqualTo("accepted alice");
            assertThat(ask(authenticator, bad)).isEqualTo(REFUSED);
        }
        assertThat(computed).containsExactly("a:b c", "wrong", "wrong", "wrong");
        now = now.plusSeconds(59);
        assertThat(ask(authenticator, good)).isEqualTo("accepted alice");
        assertThat(computed).hasSize(4);
        now = now.plusSeconds(1);
        assertThat(ask(authenticator, good)).isEqualTo("accepted alice");
        assertThat(computed).hasSize(5);
    }

    @Test
    void storesNoVerdictIfConfigured() {
        BasicAuthenticator authenticator = authenticator(Map.of("remember", Duration.ZERO), Runnable::run);
        for (int i = 0; i < 2; i++) {
            assertThat(ask(authenticator, "Basic " + base64("alice:a:b c"))).isEqualTo("accepted alice");
        }
        assertThat(computed).hasSize(2);
    }

    private static String ask(BasicAuthenticator authenticator, String field) {
        return Asked.ask(authenticator, TestExchange.get("/").header("Authorization", field))
                .text();
    }

    /** A browser sends many requests at once. */
    @Test
    void computesOneHashForRequestsThatWaitedWithTheSameCredentials() {
        Queue<Runnable> waiting = new ArrayDeque<>();
        BasicAuthenticator authenticator = authenticator(Map.of(), waiting::add);
        BasicCredentials credentials =
                requireNonNull(BasicCredentials.parse(base64("alice:a:b c"), new KeyDigest.Secret())
                        .credentials());
        assertThat(credentials.toString()).doesNotContain("a:b c").doesNotContain("alice");

        List<String> results = new ArrayList<>();
        List<TestedRequest> requests = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            requests.add(new TestedRequest(authenticator, "Basic " + base64("alice:a:b c")));
        }
        assertThat(waiting).hasSize(3);
        waiting.forEach(Runnable::run);
        requests.forEach(request -> results.add(request.result()));
        assertThat(results).containsExactly("accepted alice", "accepted alice", "accepted alice");
        assertThat(computed).containsExactly("a:b c");
    }

    /** A request whose verification waits. */
    private static final class TestedRequest {
        private final CompletableFuture<Authentication> result;

        TestedRequest(BasicAuthenticator authenticator, String field) {
            result = authenticator
                    .authenticate(Requests.with("authorization", field))
                    .toCompletableFuture();
        }

        String result() {
            return Asked.text(result.join());
        }
    }

    @Test
    void computesNoHashForAClientThatHasDisconnected() {
        Queue<Runnable> waiting = new ArrayDeque<>();
        BasicAuthenticator authenticator = authenticator(Map.of(), waiting::add);
        assertThat(authenticator
                        .authenticate(Requests.with("authorization", "Basic " + base64("alice:a:b c")))
                        .toCompletableFuture()
                        .cancel(false))
                .isTrue();
        waiting.forEach(Runnable::run);
        assertThat(computed).isEmpty();
    }

    @Test
    void refusesRequestsWhileTheQueueIsFull() {
        Executor full = work -> {
            throw new RejectedExecutionException();
        };
        assertThat(Asked.ask(
                                authenticator(Map.of(), full),
                                TestExchange.get("/").header("Authorization", "Basic " + base64("alice:a:b c")))
                        .text())
                .isEqualTo("503 too many passwords wait for verification");
    }

    @Test
    void refusesARealmThatCannotBeQuoted() {
        assertThat(settings(Map.of("file", "users", "realm", "Billing (EU)")).realm())
                .isEqualTo("Billing (EU)");
        for (String realm : List.of("a\"b", "a\\b", "", "größe", "a\r\nb", "x".repeat(129))) {
            assertThatThrownBy(() -> settings(Map.of("file", "users", "realm", realm)))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("realm: ");
        }
    }
}
