package dev.lychgate.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.testing.ConnectionScript;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.RefusingPort;
import dev.lychgate.testing.RequestScript;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code ext-authz} with an HTTP service, over real sockets. */
@Tag("slow")
class HttpCheckTest {
    private static ScriptedOrigin service(RequestScript script) {
        return ScriptedOrigin.answering(script);
    }

    private static ScriptedOrigin responding(String response) {
        return service((request, connection) -> connection.send(response));
    }

    @Test
    void describesTheRequestToTheService() throws Exception {
        try (ScriptedOrigin service = responding(Responses.ok(""));
                Guarded gateway = Guarded.start(service.address(), Map.of("path", "/check"))) {
            RawMessage response = gateway.get(
                    "/a/{x}{}?q={1}&r=%20",
                    "Authorization: Bearer t", "Cookie: a=1", "X-Other: 1", "X-Forwarded-For: 1.2.3.4");
            assertThat(response.body()).isEqualTo("origin");
            RawMessage check = service.requests().get(0);
            assertThat(check.method()).isEqualTo("GET");
            assertThat(check.target()).isEqualTo("/check/a/%7Bx%7D%7B%7D?q=%7B1%7D&r=%20");
            assertThat(check.value("authorization")).contains("Bearer t");
            assertThat(check.value("cookie")).contains("a=1");
            assertThat(check.has("x-other")).isFalse();
            assertThat(check.value("x-forwarded-for")).contains("127.0.0.1");
            assertThat(check.value("x-forwarded-proto")).contains("http");
            assertThat(check.value("x-forwarded-host")).contains("shop.example:8080");
            assertThat(check.value("x-forwarded-method")).contains("GET");
            assertThat(check.value("x-forwarded-uri")).contains("/a/%7Bx%7D%7B%7D?q=%7B1%7D&r=%20");
            assertThat(gateway.origin.requests().get(0).target())
                    .as("the origin's request is unchanged")
                    .isEqualTo("/a/%7Bx%7D%7B%7D?q={1}&r=%20");
        }
    }

    @Test
    void sendsAllFieldsExceptThoseOfTheConnectionIfConfigured() throws Exception {
        try (ScriptedOrigin service = responding(Responses.ok(""));
                Guarded gateway = Guarded.start(service.address(), Map.of("request-headers", List.of("*")))) {
            gateway.get(
                    "/",
                    "X-One: 1",
                    "X-One: 2",
                    "X-Real-IP: 6.6.6.6",
                    "Accept-Encoding: gzip",
                    "Proxy-Authorization: x");
            RawMessage check = service.requests().get(0);
            assertThat(check.values("x-one")).containsExactly("1, 2");
            assertThat(check.has("x-real-ip")).isFalse();
            assertThat(check.has("accept-encoding")).isFalse();
            assertThat(check.has("proxy-authorization")).isFalse();
        }
    }

    @Test
    void onlyListedFieldsOfTheServiceReachTheOrigin() throws Exception {
        String response = Responses.of(
                200,
                "",
                "X-User: alice",
                "X-Roles: a",
                "X-Roles: b",
                "X-Evil: 1",
                "X-Forwarded-For: 6.6.6.6",
                "X-Envoy-Auth-Headers-To-Remove: authorization, x-forwarded-for, host, x-internal");
        try (ScriptedOrigin service = responding(response);
                Guarded gateway =
                        Guarded.start(service.address(), Map.of("upstream-headers", List.of("x-user", "x-roles")))) {
            gateway.get("/", "Authorization: Bearer t", "X-User: root", "X_User: root", "X-Internal: 1");
            RawMessage request = gateway.origin.requests().get(0);
            assertThat(request.values("x-user")).containsExactly("alice");
            assertThat(request.has("x_user"))
                    .as("another spelling by the client")
                    .isFalse();
            assertThat(request.values("x-roles")).containsExactly("a", "b");
            assertThat(request.has("x-evil")).isFalse();
            assertThat(request.values("x-forwarded-for")).containsExactly("127.0.0.1");
            assertThat(request.value("host")).isPresent();
            assertThat(request.has("authorization")).isFalse();
            assertThat(request.has("x-internal")).isFalse();
        }
    }

    @Test
    void aDenialHasTheStatusTheBodyAndTheListedFieldsOfTheService() throws Exception {
        String response = Responses.of(
                401,
                "<p>log in</p>",
                "WWW-Authenticate: Bearer",
                "Set-Cookie: a=1",
                "Set-Cookie: b=2",
                "Content-Type: text/html",
                "X-Internal: secret",
                "Connection: keep-alive");
        try (ScriptedOrigin service = responding(response);
                Guarded gateway = Guarded.start(service.address(), Map.of())) {
            RawMessage denial = gateway.get("/");
            assertThat(denial.status()).isEqualTo(401);
            assertThat(denial.body()).isEqualTo("<p>log in</p>");
            assertThat(denial.value("content-type")).contains("text/html");
            assertThat(denial.value("www-authenticate")).contains("Bearer");
            assertThat(denial.values("set-cookie")).containsExactly("a=1", "b=2");
            assertThat(denial.has("x-internal")).isFalse();
            assertThat(gateway.origin.requestsSeen()).isZero();
        }
    }

    @Test
    void aRedirectOfTheServiceIsADenial() throws Exception {
        try (ScriptedOrigin service = responding(Responses.of(302, "", "Location: https://login.example/"));
                Guarded gateway = Guarded.start(service.address(), Map.of())) {
            RawMessage denial = gateway.get("/");
            assertThat(denial.status()).isEqualTo(302);
            assertThat(denial.value("location")).contains("https://login.example/");
        }
    }

    @Test
    void anEncodedBodyOfADenialIsLeftOut() throws Exception {
        try (ScriptedOrigin service = responding(Responses.of(403, "\u001f\u008b", "Content-Encoding: gzip"));
                Guarded gateway = Guarded.start(service.address(), Map.of())) {
            RawMessage denial = gateway.get("/");
            assertThat(denial.status()).isEqualTo(403);
            assertThat(denial.body()).isEmpty();
        }
    }

    // ---- bodies

    @Test
    void sendsTheBodyUpToItsBoundAndRefusesALongerOne() throws Exception {
        try (ScriptedOrigin service = responding(Responses.ok(""));
                Guarded gateway = Guarded.start(service.address(), Map.of("with-request-body", ByteSize.parse("8B")))) {
            assertThat(gateway.post("12345678").status()).isEqualTo(200);
            assertThat(service.requests().get(0).body()).isEqualTo("12345678");
            assertThat(service.requests().get(0).value("content-type")).contains("text/plain");
            assertThat(service.requests().get(0).value("x-envoy-auth-partial-body"))
                    .contains("false");
            assertThat(gateway.origin.requests().get(0).body()).isEqualTo("12345678");
            assertThat(gateway.post("123456789").status()).isEqualTo(413);
            assertThat(gateway.origin.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    void truncatesALongerBodyIfConfigured() throws Exception {
        Map<String, Object> settings = Map.of(
                "with-request-body",
                ByteSize.parse("4B"),
                "long-body",
                "truncate",
                "body-buffer",
                ByteSize.parse("1KiB"));
        try (ScriptedOrigin service = responding(Responses.ok(""));
                Guarded gateway = Guarded.start(service.address(), settings)) {
            assertThat(gateway.post("123456789").status()).isEqualTo(200);
            assertThat(service.requests().get(0).body()).isEqualTo("1234");
            assertThat(service.requests().get(0).value("x-envoy-auth-partial-body"))
                    .contains("true");
            assertThat(gateway.origin.requests().get(0).body()).isEqualTo("123456789");
            assertThat(gateway.post("x".repeat(1025)).status()).isEqualTo(413);
        }
    }

    @Test
    void withoutABodySettingTheServiceReceivesNone() throws Exception {
        try (ScriptedOrigin service = responding(Responses.ok(""));
                Guarded gateway = Guarded.start(service.address(), Map.of())) {
            assertThat(gateway.post("body").status()).isEqualTo(200);
            assertThat(service.requests().get(0).method()).isEqualTo("POST");
            assertThat(service.requests().get(0).value("content-length")).contains("0");
            assertThat(gateway.origin.requests().get(0).body()).isEqualTo("body");
        }
    }

    // ---- failures

    private record Ugly(String name, ConnectionScript script) {
        /** Runs the script after the head of a request. */
        static Ugly afterHead(String name, ConnectionScript script) {
            return new Ugly(name, connection -> {
                connection.readHead();
                script.play(connection);
            });
        }
    }

    private static final List<Ugly> UGLY = List.of(
            Ugly.afterHead("status 500", connection -> connection.send(Responses.of(500, "oops"))),
            Ugly.afterHead("status 503", connection -> connection.send(Responses.of(503, ""))),
            Ugly.afterHead("stalls", connection -> connection.stall()),
            Ugly.afterHead("resets", connection -> connection.reset()),
            Ugly.afterHead("garbage", connection -> connection.send("SSH-2.0-OpenSSH_9.6\r\n\r\n")),
            Ugly.afterHead(
                    "closes mid-body",
                    connection -> connection
                            .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345")
                            .close()),
            Ugly.afterHead("stalls mid-body", connection -> {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345");
                connection.stall();
            }),
            Ugly.afterHead(
                    "announces a body beyond the bound",
                    connection -> connection.send("HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\n")),
            Ugly.afterHead("sends a body beyond the bound", connection -> {
                connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n11170\r\n" + "x".repeat(70_000));
                connection.stall();
            }),
            Ugly.afterHead(
                    "switches protocols",
                    connection -> connection.send(
                            "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n")));

    @ParameterizedTest
    @CsvSource({"closed, 503", "open, 200"})
    void appliesOnFailureToAServiceWithoutAVerdict(String policy, int expected) throws Exception {
        for (Ugly ugly : UGLY) {
            Map<String, Object> settings = Map.of("on-failure", policy, "timeout", Duration.ofMillis(300));
            try (ScriptedOrigin service =
                            ScriptedOrigin.start().onConnection(ugly.script().untilThePeerLeaves());
                    Guarded gateway = Guarded.start(service.address(), settings)) {
                assertThat(gateway.get("/").status()).as(ugly.name()).isEqualTo(expected);
                assertThat(gateway.origin.requestsSeen()).as(ugly.name()).isEqualTo(policy.equals("open") ? 1 : 0);
            }
        }
    }

    @Test
    void aServiceThatRefusesConnectionsIsAFailureWithTheConfiguredStatus() throws Exception {
        try (RefusingPort dead = new RefusingPort();
                Guarded gateway = Guarded.start(dead.address(), Map.of("failure-status", 403))) {
            RawMessage denial = gateway.get("/");
            assertThat(denial.status()).isEqualTo(403);
            assertThat(denial.value("content-type")).contains("application/problem+json");
        }
        Map<String, Object> open = Map.of("on-failure", "open", "upstream-headers", List.of("x-user"));
        try (RefusingPort dead = new RefusingPort();
                Guarded gateway = Guarded.start(dead.address(), open)) {
            assertThat(gateway.get("/", "X-User: root").status()).isEqualTo(200);
            assertThat(gateway.origin.requests().get(0).has("x-user"))
                    .as("a client cannot set a field of the service, even if the service fails")
                    .isFalse();
        }
    }

    /** A request must not bypass the check because it cannot be described. */
    @Test
    void aRequestThatCannotBeDescribedIsDeniedEvenIfFailuresAreNot() throws Exception {
        try (ScriptedOrigin service = responding(Responses.of(403, ""));
                Guarded gateway = Guarded.start(
                        service.address(),
                        Map.of("on-failure", "open"),
                        "",
                        ", paths: { allow-encoded-slash: true, allow-control: true }")) {
            for (String path : List.of("/admin%2Fusers", "/admin%0A")) {
                assertThat(gateway.get(path).status()).as(path).isEqualTo(403);
            }
            assertThat(gateway.origin.requestsSeen()).isZero();
            assertThat(service.requestsSeen()).isZero();
        }
        try (ScriptedOrigin service = responding(Responses.of(403, ""));
                Guarded gateway = Guarded.start(
                        service.address(), Map.of("mode", "shadow"), "", ", paths: { allow-encoded-slash: true }")) {
            assertThat(gateway.get("/admin%2Fusers").status()).isEqualTo(200);
        }
    }

    @Test
    void aFailureLeavesNoReasonForTheClient() throws Exception {
        try (ScriptedOrigin service = responding(Responses.of(500, "stack trace"));
                Guarded gateway = Guarded.start(service.address(), Map.of())) {
            RawMessage denial = gateway.get("/");
            assertThat(denial.status()).isEqualTo(503);
            assertThat(denial.body()).isEqualTo("no authorization is available\n");
            assertThat(denial.values("retry-after")).containsExactly("1");
        }
    }

    @ParameterizedTest
    @CsvSource({"429, 1", "502, ", "401, "})
    void aStatusOfFailuresThatPermitsARetryStatesItsTime(int status, @Nullable String seconds) throws Exception {
        try (RefusingPort dead = new RefusingPort();
                Guarded gateway = Guarded.start(dead.address(), Map.of("failure-status", status))) {
            RawMessage denial = gateway.get("/");
            assertThat(denial.status()).isEqualTo(status);
            assertThat(denial.value("retry-after").orElse(null)).isEqualTo(seconds);
        }
    }

    // ---- stored responses

    /** The origin trusts the field and sends no Vary. The credentials of the client are in a field that the cache does not recognize. */
    @Test
    void responsesAreNotSharedBetweenValuesOfAFieldOfTheService() throws Exception {
        Map<String, Object> settings = Map.of(
                "request-headers", List.of("x-key"), "upstream-headers", List.of("x-user"), "on-failure", "open");
        try (ScriptedOrigin service = ScriptedOrigin.answering((request, connection) -> {
                    String key = request.value("x-key").orElse("");
                    connection.send(
                            key.equals("broken")
                                    ? Responses.of(500, "")
                                    : Responses.of(200, "", "X-User: user of " + key.charAt(0)));
                });
                Guarded gateway = Guarded.storing(service.address(), settings)) {
            assertThat(gateway.get("/a", "X-Key: a1").body()).isEqualTo("1 user of a");
            assertThat(gateway.get("/a", "X-Key: b1").body()).isEqualTo("2 user of b");
            assertThat(gateway.get("/a", "X-Key: a2").body()).as("stored").isEqualTo("1 user of a");
            assertThat(gateway.get("/a", "X-Key: broken").body()).isEqualTo("3 nobody");
            assertThat(gateway.get("/a", "X-Key: b2").body()).as("stored").isEqualTo("2 user of b");
        }
    }

    // ---- cache and shadow mode

    @Test
    void cachesVerdictsByTheChosenFields() throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put("cache-by", List.of("header:authorization", "path"));
        settings.put("upstream-headers", List.of("x-user"));
        RequestScript script = (request, connection) -> connection.send(
                request.value("authorization").orElse("").equals("good")
                        ? Responses.of(200, "", "X-User: alice")
                        : Responses.of(403, "no"));
        try (ScriptedOrigin service = service(script);
                Guarded gateway = Guarded.start(service.address(), settings)) {
            for (int i = 0; i < 3; i++) {
                assertThat(gateway.get("/a?" + i, "Authorization: good").status())
                        .isEqualTo(200);
                assertThat(gateway.origin.requests().get(i).value("x-user")).contains("alice");
            }
            assertThat(service.requestsSeen()).as("the query is not chosen").isEqualTo(1);
            for (int i = 0; i < 2; i++) {
                RawMessage denial = gateway.get("/a", "Authorization: bad");
                assertThat(denial.status()).isEqualTo(403);
                assertThat(denial.body()).isEqualTo("no");
            }
            assertThat(service.requestsSeen()).isEqualTo(2);
            assertThat(gateway.get("/b", "Authorization: good").status()).isEqualTo(200);
            assertThat(service.requestsSeen()).as("the path is chosen").isEqualTo(3);
        }
    }

    /** The service may use another one of several cookies than the first. */
    @Test
    void aVerdictOnSeveralCookiesIsNotThatOnTheFirst() throws Exception {
        RequestScript script = (request, connection) -> connection.send(
                Responses.of(request.value("cookie").orElse("").endsWith("session=good") ? 200 : 403, ""));
        try (ScriptedOrigin service = service(script);
                Guarded gateway = Guarded.start(service.address(), Map.of("cache-by", List.of("cookie:session")))) {
            assertThat(gateway.get("/", "Cookie: session=guest; session=good").status())
                    .isEqualTo(200);
            assertThat(gateway.get("/", "Cookie: session=guest").status()).isEqualTo(403);
            assertThat(gateway.get("/", "Cookie: session=good").status()).isEqualTo(200);
        }
    }

    @Test
    void cachesNeitherFailuresNorDenialsForOneClient() throws Exception {
        List<String> responses = List.of(
                Responses.of(500, ""),
                Responses.of(302, "", "Location: https://login.example/?state=1"),
                Responses.of(401, "", "Set-Cookie: a=1"),
                Responses.ok(""));
        int[] asked = {0};
        try (ScriptedOrigin service = service((request, connection) -> connection.send(responses.get(asked[0]++)));
                Guarded gateway = Guarded.start(service.address(), Map.of("cache-by", List.of("path")))) {
            assertThat(gateway.get("/").status()).isEqualTo(503);
            assertThat(gateway.get("/").status()).isEqualTo(302);
            assertThat(gateway.get("/").status()).isEqualTo(401);
            assertThat(gateway.get("/").status()).isEqualTo(200);
            assertThat(gateway.get("/").status()).isEqualTo(200);
            assertThat(service.requestsSeen()).isEqualTo(4);
        }
    }

    @Test
    void shadowModeLetsEveryRequestContinueUnchanged() throws Exception {
        Map<String, Object> settings = Map.of("mode", "shadow", "upstream-headers", List.of("x-user"));
        RequestScript script = (request, connection) -> connection.send(
                request.target().equals("/denied") ? Responses.of(403, "") : Responses.of(200, "", "X-User: alice"));
        try (ScriptedOrigin service = service(script);
                Guarded gateway = Guarded.start(service.address(), settings)) {
            assertThat(gateway.get("/denied", "X-User: root").status()).isEqualTo(200);
            assertThat(gateway.get("/", "X-User: root").status()).isEqualTo(200);
            assertThat(gateway.origin.requests())
                    .allMatch(request -> request.values("x-user").equals(List.of("root")));
        }
    }
}
