package dev.lychgate.filters.testing;

import static dev.lychgate.filter.FilterPhase.ENDPOINT;
import static dev.lychgate.filter.FilterPhase.ERROR;
import static dev.lychgate.filter.FilterPhase.INBOUND;
import static dev.lychgate.filter.FilterPhase.OUTBOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The requests and environments of a test, and its results. */
@NullUnmarked // A null value fails the test that uses it.
@Tag("slow")
class TestExchangeTest {
    private static final AttributeKey<String> TENANT = AttributeKey.of("tenant", String.class);

    private static FilterOutcome nothing(FilterExchange exchange) {
        return exchange.proceed();
    }

    @Test
    void aBanOfTheClientIsPartOfTheResult() {
        TestResult result = TestExchange.get("/login").through(Step.sync("guard", INBOUND, exchange -> {
            exchange.banClient("10m", "asks for a login");
            return exchange.proceed();
        }));
        assertThat(result.getStatus()).isEqualTo(200);
        assertThat(result.getBan()).isEqualTo("asks for a login");
        assertThat(TestExchange.get("/")
                        .through(Step.sync("none", INBOUND, TestExchangeTest::nothing))
                        .getBan())
                .isNull();
    }

    @Test
    void aTestSetsTheTimeOfArrival() {
        Filter step = Step.sync(
                "time",
                INBOUND,
                exchange -> exchange.respond(200, exchange.getTime().toString()));
        assertThat(TestExchange.get("/")
                        .time(Instant.parse("2026-01-02T03:04:05Z"))
                        .through(step)
                        .getText())
                .isEqualTo("2026-01-02T03:04:05Z");
        Instant before = Instant.now().minusMillis(10);
        assertThat(Instant.parse(TestExchange.get("/").through(step).getText()))
                .as("by default")
                .isBetween(before, Instant.now());
    }

    @Test
    void aBrownoutLastsForTheWholeTest() {
        Filter step = Step.sync(
                "reduce",
                INBOUND,
                exchange -> exchange.isBrownout() ? exchange.respond(200, "reduced") : exchange.proceed());
        assertThat(TestExchange.get("/").through(step).getText()).as("usually").isEmpty();
        assertThat(TestExchange.get("/").brownout().through(step).getText())
                .as("before routing")
                .isEmpty();
        Filter choosing = Step.sync("choose", INBOUND, exchange -> {
            exchange.setUpstream("origin");
            return exchange.isBrownout() ? exchange.respond(200, "reduced") : exchange.proceed();
        });
        assertThat(TestExchange.get("/").brownout().through(choosing).getText())
                .as("of the chosen upstream")
                .isEqualTo("reduced");
        Filter ofRoute = Step.sync("reduce", OUTBOUND, exchange -> {
            exchange.getResponse().getHeaders().set("x-brownout", String.valueOf(exchange.isBrownout()));
            return exchange.proceed();
        });
        assertThat(TestExchange.get("/").through(ofRoute).header("x-brownout")).isEqualTo("false");
        assertThat(TestExchange.get("/").brownout().through(ofRoute).header("x-brownout"))
                .isEqualTo("true");
    }

    @Test
    void theOriginReceivesTheRequestAsFiltersChangedIt() {
        TestResult result = TestExchange.post("/a/../b?x=1")
                .header("x-a", "1")
                .cookie("c", "d")
                .cookie("e", "f")
                .host("shop.example")
                .body("hello")
                .through(Step.sync("stamp", INBOUND, exchange -> {
                    exchange.getRequest().getHeaders().set("x-stamp", "yes");
                    return exchange.proceed();
                }));
        SentRequest sent = result.getSent();
        assertThat(sent).hasToString("POST /b?x=1");
        assertThat(sent.getHost()).isEqualTo("shop.example");
        assertThat(sent.header("x-a")).isEqualTo("1");
        assertThat(sent.header("x-stamp")).isEqualTo("yes");
        assertThat(sent.getCookies()).isEqualTo(Map.of("c", "d", "e", "f"));
        assertThat(sent.getText()).isEqualTo("hello");
        assertThat(sent.header("x-forwarded-for")).isEqualTo("127.0.0.1");
        assertThat(result.getStatus()).isEqualTo(200);
    }

    @Test
    void theClientReceivesTheResponseAsFiltersChangedIt() {
        TestResult result = TestExchange.get("/")
                .origin(201, Map.of("server", "origin"), "made")
                .through(Step.sync("hide", OUTBOUND, exchange -> {
                    exchange.getResponse().getHeaders().remove("server");
                    return exchange.proceed();
                }));
        assertThat(result.getStatus()).isEqualTo(201);
        assertThat(result.header("server")).isNull();
        assertThat(result.header("content-length")).isEqualTo("4");
        assertThat(result.getText()).isEqualTo("made");
        assertThat(result.getRan()).containsExactly("hide");
    }

    @Test
    void anOriginMayRespondByTheRequest() {
        TestResult result = TestExchange.get("/echo?me")
                .origin(request -> OriginResponse.of(200).body(request.getPath() + "|" + request.getQuery()))
                .through();
        assertThat(result.getText()).isEqualTo("/echo|me");
    }

    @Test
    void filtersRunInTheOrderOfTheirPhases() {
        TestResult result = TestExchange.get("/")
                .originFails(ErrorKind.CONNECT_REFUSED)
                .through(
                        Step.sync("d", OUTBOUND, TestExchangeTest::nothing),
                        Step.sync("c", ERROR, TestExchangeTest::nothing),
                        Step.sync("b", ENDPOINT, TestExchangeTest::nothing),
                        Step.sync("a", INBOUND, TestExchangeTest::nothing));
        assertThat(result.getRan()).containsExactly("a", "b", "c", "d");
        assertThat(result.getStatus()).isEqualTo(502);
        assertThat(result.getError().kind()).isEqualTo(ErrorKind.CONNECT_REFUSED);
        assertThat(result.getSent()).isNull();
        assertThat(result.getUpstream()).isEqualTo("origin");
    }

    @Test
    void aFilterThatRespondsSendsNoRequestToTheOrigin() {
        TestResult result =
                TestExchange.get("/").through(Step.sync("no", INBOUND, exchange -> exchange.respond(401, "who?")));
        assertThat(result.getStatus()).isEqualTo(401);
        assertThat(result.getText()).isEqualTo("who?");
        assertThat(result.getSent()).isNull();
        assertThat(result.getUpstream()).isNull();
    }

    @Test
    void filtersChooseAmongTheRoutesAndUpstreamsOfTheTest() {
        TestResult result = TestExchange.get("/")
                .routes("legacy")
                .upstreams("canary")
                .through(Step.sync("choose", INBOUND, exchange -> {
                    exchange.setRoute("legacy");
                    exchange.setUpstream("canary");
                    exchange.setResponseTimeout(Duration.ofSeconds(3));
                    return exchange.proceed();
                }));
        assertThat(result.getRoute()).isEqualTo("legacy");
        assertThat(result.getUpstream()).isEqualTo("canary");
        assertThat(result.getResponseTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(result.getFailures()).isEmpty();
    }

    @Test
    void anUnknownUpstreamIsAFailureAsInTheGateway() {
        TestResult result = TestExchange.get("/").through(Step.sync("choose", INBOUND, exchange -> {
            exchange.setUpstream("canary");
            return exchange.proceed();
        }));
        assertThat(result.getStatus()).isEqualTo(500);
        assertThat(result.getFailures()).hasSize(1);
        assertThat(result.getFailures().get(0).getFilter()).isEqualTo("choose");
        assertThat(result.getFailures().get(0).getCause()).hasMessage("unknown upstream canary");
    }

    @Test
    void aSetWithRoutesRunsAsInTheGateway() {
        FilterSet filters = FilterSet.of(Step.sync("global", INBOUND, TestExchangeTest::nothing))
                .with(Step.sync("api", INBOUND, TestExchangeTest::nothing), Set.of("api"))
                .with(Step.sync("web", INBOUND, TestExchangeTest::nothing), Set.of("web"));
        assertThat(TestExchange.get("/").route("api").through(filters).getRan()).containsExactly("global", "api");
        assertThat(TestExchange.get("/").route("web").through(filters).getRan()).containsExactly("global", "web");
        TestResult elsewhere = TestExchange.get("/").route(null).through(filters);
        assertThat(elsewhere.getStatus()).isEqualTo(404);
        assertThat(elsewhere.getRan()).containsExactly("global");
    }

    @Test
    void filtersReceiveTheClientAddressAndAttributes() {
        TestResult result = TestExchange.get("/")
                .client("192.0.2.7")
                .attribute(TENANT, "acme")
                .through(Step.sync("see", INBOUND, exchange -> {
                    InetAddress client = exchange.getClientAddress();
                    String tenant = exchange.get(TENANT);
                    exchange.set(TENANT, tenant + "@" + client.getHostAddress());
                    return exchange.proceed();
                }));
        assertThat(result.get(TENANT)).isEqualTo("acme@192.0.2.7");
        assertThat(result.getRan()).containsExactly("see");
    }

    @Test
    void bodiesArriveAtOnceOrInChunks() {
        Filter whole = Step.sync("body", INBOUND, exchange -> {
            exchange.getRequest().setText(exchange.getRequest().getText().toUpperCase(Locale.ROOT));
            return exchange.proceed();
        });
        Filter passing = Step.sync("passing", OUTBOUND, exchange -> {
            exchange.getResponse().transformBody(new Brackets());
            return exchange.proceed();
        });
        TestResult result = TestExchange.post("/")
                .pieces("ab", "cd")
                .origin(request -> OriginResponse.of(200).pieces(request.getText(), "ef"))
                .through(whole, passing);
        assertThat(result.getSent().header("content-length")).isEqualTo("4");
        assertThat(result.getText()).isEqualTo("[ABCD][ef]");
    }

    private static final class Brackets implements BodyTransform {
        @Override
        public byte[] piece(byte[] piece) {
            return ("[" + new String(piece, StandardCharsets.UTF_8) + "]").getBytes(StandardCharsets.UTF_8);
        }
    }

    @Test
    void aBodyBeyondTheLimitOfAFilterIsReported() {
        Filter needs = Step.sync("body", OUTBOUND, TestExchangeTest::nothing);
        TestResult result = TestExchange.get("/").origin(200, "x".repeat(101)).through(needs);
        assertThat(result.getStatus()).isEqualTo(200);
        assertThat(result.getFailures()).hasSize(1);
        assertThat(result.getFailures().get(0).getFilter()).isEqualTo("body");
    }

    @Test
    void oneExchangeCanBeSentThroughDifferentFilters() {
        TestExchange exchange = TestExchange.post("/").body("x");
        for (String name : List.of("a", "b")) {
            assertThat(exchange.through(Step.sync(name, INBOUND, TestExchangeTest::nothing))
                            .getRan())
                    .containsExactly(name);
        }
    }

    @Test
    void malformedRequestsAreRefusedAtOnce() {
        assertThatThrownBy(() -> TestExchange.get("/%2f").through()).hasMessageContaining("not a path");
        assertThatThrownBy(() -> TestExchange.get("/").client("localhost")).hasMessageContaining("not an IP address");
    }
}
