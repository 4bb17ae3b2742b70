package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.filters.testing.OriginResponse;
import dev.lychgate.filters.testing.SentRequest;
import dev.lychgate.filters.testing.TestExchange;
import dev.lychgate.filters.testing.TestResult;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Call-outs of scripts, and the responses of the test kit. */
@Tag("slow")
class CallingScriptsTest {
    private static TestResult run(TestExchange exchange, String script) throws Exception {
        try (BuiltFilters built = Sources.build("inbound/a.groovy", script)) {
            return exchange.through(built.filters().get(0).filter());
        }
    }

    private static final String STAGE = """
            async { e ->
                e.call('users').post('/users/{}', 'ada l').query('full', 'yes').json([id: 1]).timeout('300ms').maxBody('64KiB')
                        .send().thenApply { response ->
                    def user = response.json as Map
                    e.request.headers['x-name'] = user.name
                    response.status == 200 ? e.proceed() : e.respond(403)
                }
            }
            """;

    @Test
    void readTheResponseOfAnUpstream() throws Exception {
        TestExchange exchange =
                TestExchange.get("/").origin(200, "served").upstream("users", 200, "{\"name\":\"Ada\"}");
        try (TestResult result = run(exchange, STAGE)) {
            assertThat(result.getText()).isEqualTo("served");
            assertThat(Objects.requireNonNull(result.getSent()).header("x-name"))
                    .isEqualTo("Ada");
            SentRequest call = result.sentTo("users").get(0);
            assertThat(call.toString()).isEqualTo("POST /users/ada%20l?full=yes");
            assertThat(call.getText()).isEqualTo("{\"id\":1}");
        }
    }

    @Test
    void receiveEveryStatus() throws Exception {
        try (TestResult result = run(TestExchange.get("/").upstream("users", 404, "{}"), STAGE)) {
            assertThat(result.getStatus()).isEqualTo(403);
            assertThat(result.getSent()).isNull();
        }
    }

    @Test
    void failTheExchangeIfTheServiceIsSilentOrDisconnects() throws Exception {
        try (TestResult result = run(TestExchange.get("/").upstream("users", request -> null), STAGE)) {
            assertThat(result.isDone()).isFalse();
            result.getClock().advance(Duration.ofMillis(300));
            assertThat(result.getStatus()).isEqualTo(504);
            assertThat(Objects.requireNonNull(result.getError()).kind()).isEqualTo(ErrorKind.RESPONSE_TIMEOUT);
        }
        try (TestResult result =
                run(TestExchange.get("/").upstream("users", request -> OriginResponse.hangUp()), STAGE)) {
            assertThat(result.getStatus()).isEqualTo(502);
        }
    }

    @Test
    void combineSourcesOfRxJava() throws Exception {
        TestExchange exchange = TestExchange.get("/")
                .origin(200)
                .upstream("plans", 200, "gold")
                .upstream("flags", request -> request.getPath().equals("/flags/1") ? OriginResponse.hangUp() : null);
        try (TestResult result = run(exchange, """
                import dev.lychgate.filters.rx.RxCalls
                import io.reactivex.rxjava3.core.Single
                async { e ->
                    def plan = RxCalls.single(e.call('plans').get('/plans/1')).map { it.text }
                    def flags = RxCalls.single(e.call('flags').post('/flags/1')).map { it.text }.retry(1).onErrorReturnItem('none')
                    Single.zip(plan, flags) { String p, String f ->
                        e.request.headers['x-plan'] = p + ', ' + f
                        e.proceed()
                    }
                }
                """)) {
            assertThat(result.getStatus()).isEqualTo(200);
            assertThat(Objects.requireNonNull(result.getSent()).header("x-plan"))
                    .isEqualTo("gold, none");
            assertThat(result.sentTo("flags")).as("each subscription sends it").hasSize(2);
        }
    }

    @Test
    void sendTheQueryOfAClientUnchanged() throws Exception {
        TestExchange exchange = TestExchange.get("/?x={}&y=%20").origin(200).upstream("users", 200, "");
        try (TestResult result = run(exchange, """
                async { e ->
                    e.call('users').get('/u?' + e.request.query).send().thenApply { e.proceed() }
                }
                """)) {
            assertThat(result.getStatus()).isEqualTo(200);
            assertThat(result.sentTo("users").get(0).toString()).isEqualTo("GET /u?x={}&y=%20");
        }
    }

    /** Otherwise, one request would stall the loop until the process ends. */
    @ParameterizedTest
    @ValueSource(
            strings = {"get()", "join()", "get(1, java.util.concurrent.TimeUnit.DAYS)", "thenApply { it.text }.get()"})
    void refuseToWaitOnTheEventLoop(String waiting) throws Exception {
        TestExchange exchange = TestExchange.get("/").origin(200).upstream("users", request -> null);
        try (TestResult result = run(exchange, """
                async { e ->
                    e.call('users').get('/').send().%s
                    e.proceed()
                }
                """.formatted(waiting))) {
            assertThat(result.getStatus()).isEqualTo(500);
            assertThat(result.getFailures().toString())
                    .contains(
                            "this event loop cannot wait for it; use thenApply or thenCompose, or declare the filter by"
                                    + " blocking { }");
        }
    }

    @Test
    void areCancelledWithTheirSource() throws Exception {
        TestExchange exchange = TestExchange.get("/").origin(200).upstream("slow", request -> null);
        try (TestResult result = run(exchange, """
                import dev.lychgate.filters.rx.RxCalls
                async { e -> RxCalls.single(e.call('slow').get('/')).map { e.proceed() } }
                """)) {
            assertThat(result.isDone()).isFalse();
            result.leave();
            assertThat(result.sentTo("slow")).hasSize(1);
            assertThat(result.isAborted()).isTrue();
        }
    }

    @Test
    void failOnAnUnknownUpstreamAndOnAUrl() throws Exception {
        for (String name : List.of("user", "http://127.0.0.1/")) {
            try (TestResult result = run(
                    TestExchange.get("/").upstreams("users"),
                    "async { e -> e.call('" + name + "').get('/').send().thenApply { e.proceed() } }")) {
                assertThat(result.getStatus()).isEqualTo(500);
                assertThat(String.valueOf(result.getFailures().get(0)))
                        .contains(
                                name.equals("user")
                                        ? "unknown upstream user (expected: origin, users)"
                                        : "filters.call-outs does not list http://127.0.0.1:80");
            }
        }
    }
}
