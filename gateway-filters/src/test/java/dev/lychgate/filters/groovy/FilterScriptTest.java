package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterChains;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.testing.RawMessage;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters as scripts: their declarations and closures. */
@Tag("slow")
class FilterScriptTest {
    private static RawMessage answerWith(String path, String script) throws Exception {
        try (BuiltFilters filters = Sources.build(path, script);
                GatewayWithFilters gateway = new GatewayWithFilters(filters)) {
            return gateway.get("/");
        }
    }

    @Test
    void setsAHeaderInOneLine() throws Exception {
        RawMessage answer = answerWith("inbound/add-a.groovy", "filter { it.request.headers['x-a'] = '1' }");
        assertThat(answer.body()).isEqualTo("1");
    }

    @Test
    void respondsInPlaceOfTheOrigin() throws Exception {
        RawMessage answer = answerWith("inbound/closed.groovy", "filter { it.respond(503, 'back soon') }");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).isEqualTo("back soon");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "it.respond(200, '{}').header('content-type', 'application/json')",
                "it.respond(200, '{}').header('Content-Type', 'text/plain').header('CONTENT-TYPE', 'application/json')",
                "it.respond(200).header('Content-Type', 'text/plain').json('{}')",
                "it.respond(200).html('<p>').body('{}'.bytes, 'application/json')",
            })
    void sendsTheLastContentType(String response) throws Exception {
        RawMessage answer = answerWith("endpoint/typed.groovy", "filter { " + response + " }");
        assertThat(answer.values("content-type")).containsExactly("application/json");
        assertThat(answer.body()).isEqualTo("{}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "it.respond(200).json([path: it.request.path, tags: ['a']])",
                "it.respond(200).json(path: \"${it.request.path}\", tags: ['a'])",
                "it.respond(200).json(\"{\\\"path\\\":\\\"${it.request.path}\\\",\\\"tags\\\":[\\\"a\\\"]}\")",
            })
    void sendsMapsAndTextAsJson(String response) throws Exception {
        RawMessage answer = answerWith("endpoint/typed.groovy", "filter { " + response + " }");
        assertThat(answer.values("content-type")).containsExactly("application/json");
        assertThat(answer.body()).isEqualTo("{\"path\":\"/\",\"tags\":[\"a\"]}");
    }

    @Test
    void iteratesOverTheHeaders() throws Exception {
        RawMessage answer = answerWith("inbound/names.groovy", """
                filter {
                    it.request.headers['x-a'] = 'a'
                    it.request.headers.add('x-a', 'b')
                    def found = []
                    for (header in it.request.headers) {
                        if (header.key == 'x-a') {
                            found << header.value
                        }
                    }
                    it.request.headers['x-a'] = found.join(' ')
                }
                """);
        assertThat(answer.body()).isEqualTo("a b");
    }

    @Test
    void addsEachFieldThatMayOccurSeveralTimes() throws Exception {
        RawMessage answer = answerWith(
                "endpoint/cookies.groovy",
                "filter { it.respond(204).header('set-cookie', 'a=1').header('set-cookie', 'b=2') }");
        assertThat(answer.values("set-cookie")).containsExactly("a=1", "b=2");
    }

    @Test
    void addingASingletonFieldReplacesThatOfTheOrigin() throws Exception {
        RawMessage answer = answerWith("outbound/typed.groovy", """
                filter {
                    it.response.headers.add('Content-Type', 'text/plain')
                    it.response.headers.add('content-type', 'text/html')
                }
                """);
        assertThat(answer.values("content-type")).containsExactly("text/html");
    }

    @Test
    void mayNameItsExchange() throws Exception {
        RawMessage answer = answerWith("outbound/teapot.groovy", """
                filter { exchange ->
                    exchange.response.status = 418
                    exchange.response.headers['x-was'] = exchange.request.path
                }
                """);
        assertThat(answer.status()).isEqualTo(418);
        assertThat(answer.value("x-was")).contains("/");
    }

    @Test
    void mayRespondLater() throws Exception {
        RawMessage answer = answerWith("endpoint/later.groovy", """
                import java.util.concurrent.CompletableFuture

                async { exchange ->
                    def answer = new CompletableFuture()
                    Thread.start { sleep 20; answer.complete(exchange.respond(200, 'later')) }
                    answer
                }
                """);
        assertThat(answer.body()).isEqualTo("later");
    }

    @Test
    void continuesIfAStageCompletesWithoutAnOutcome() throws Exception {
        RawMessage answer = answerWith("inbound/later.groovy", """
                async { exchange ->
                    exchange.request.headers['x-a'] = '2'
                    java.util.concurrent.CompletableFuture.completedFuture('whatever')
                }
                """);
        assertThat(answer.body()).isEqualTo("2");
    }

    @Test
    void failsIfAnAsyncClosureReturnsNoStage() throws Exception {
        assertThat(answerWith("inbound/forgets.groovy", "async { null }").status())
                .isEqualTo(500);
    }

    @Test
    void mayBlock() throws Exception {
        RawMessage answer = answerWith("inbound/slow.groovy", """
                blocking { exchange ->
                    Thread.sleep(20)
                    exchange.respond(200).json('{"slow":true}')
                }
                """);
        assertThat(answer.body()).isEqualTo("{\"slow\":true}");
    }

    @Test
    void mayApplyToSomeExchangesOnly() throws Exception {
        try (BuiltFilters filters = Sources.build(
                        "inbound/some.groovy",
                        "applies { it.request.queryParameter('stop') }\nfilter { it.respond(403) }");
                GatewayWithFilters gateway = new GatewayWithFilters(filters)) {
            assertThat(gateway.get("/").status()).isEqualTo(200);
            assertThat(gateway.get("/?stop=1").status()).isEqualTo(403);
        }
    }

    @Test
    void readsADeclaredBody() throws Exception {
        try (BuiltFilters filters = Sources.build(
                        "inbound/echo.groovy", "body 1024\nfilter { it.respond(200, it.request.text.reverse()) }");
                GatewayWithFilters gateway = new GatewayWithFilters(filters)) {
            RawMessage answer = gateway.exchange("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
            assertThat(answer.body()).isEqualTo("cba");
        }
    }

    @Test
    void mayFailOpen() throws Exception {
        String fails = "filter { throw new java.io.IOException('no') }";
        assertThat(answerWith("inbound/a.groovy", fails).status()).isEqualTo(500);
        assertThat(answerWith("inbound/a.groovy", "failOpen()\n" + fails).status())
                .isEqualTo(200);
    }

    @Test
    void declaresEveryPropertyOfAFilter() throws Exception {
        try (BuiltFilters built = Sources.build("outbound/deep/er/all.groovy", """
                name 'everything'
                order 7
                timeout '250ms'
                failClosed()
                body 4096
                selfCheck { assert 1 + 1 == 2 }
                applies { it.request.method == 'GET' }
                blocking { it.proceed() }
                """)) {
            GroovyFilter filter = built.filters().get(0);
            Filter f = filter.filter();
            assertThat(filter.name()).isEqualTo("everything");
            assertThat(filter.phase()).isEqualTo(FilterPhase.OUTBOUND);
            assertThat(filter.file()).isEqualTo("outbound/deep/er/all.groovy");
            assertThat(f.order()).isEqualTo(7);
            assertThat(f.timeout()).isEqualTo(Duration.ofMillis(250));
            assertThat(f.onFailure()).isEqualTo(FailurePolicy.FAIL_CLOSED);
            assertThat(f.body()).isEqualTo(BodyNeed.whole(4096));
            f.selfCheck();
        }
    }

    @Test
    void hasTheNameOfItsFileAndDefaultsWithoutDeclarations() throws Exception {
        try (BuiltFilters built = Sources.build("post/add-date.groovy", "filter { }")) {
            Filter filter = Sources.named(built, "add-date").get(0).filter();
            assertThat(filter.order()).isZero();
            assertThat(filter.timeout()).isEqualTo(Filter.DEFAULT_TIMEOUT);
            assertThat(filter.onFailure()).isEqualTo(FailurePolicy.FAIL_OPEN);
            assertThat(filter.definedIn().getName()).isEqualTo("post.add_date");
        }
    }

    @Test
    void mayBeDynamic() throws Exception {
        RawMessage answer = answerWith("inbound/dynamic.groovy", """
                @CompileDynamic
                import groovy.transform.CompileDynamic

                def twice = { x -> x + x }
                filter { it.request.headers['x-a'] = twice('ab') }
                """);
        assertThat(answer.body()).isEqualTo("abab");
    }

    @Test
    void mayDeclareMethodsAndClasses() throws Exception {
        RawMessage answer = answerWith("inbound/rich.groovy", """
                class Tier {
                    String name
                }

                Tier tier(String path) { new Tier(name: path.length() > 3 ? 'gold' : 'tin') }

                filter { it.request.headers['x-a'] = tier(it.request.path).name }
                """);
        assertThat(answer.body()).isEqualTo("tin");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "// nothing", "order 3"})
    void isRefusedIfItDeclaresNothing(String script) throws Exception {
        List<FilterFault> faults = Sources.refused("inbound/nothing.groovy", script);
        assertThat(faults).hasSize(1);
        assertThat(faults.get(0).file()).isEqualTo("inbound/nothing.groovy");
    }

    @Test
    void isRefusedAtTheLineWhereItDeclaresASecondFilter() throws Exception {
        List<FilterFault> faults = Sources.refused("inbound/two.groovy", "filter { }\n\nblocking { }");
        assertThat(faults).singleElement().satisfies(fault -> {
            assertThat(fault.line()).isEqualTo(3);
            assertThat(fault.message()).contains("this script declares two");
        });
    }

    @Test
    void anErrorFilterCanNotDeclareABody() throws Exception {
        assertThat(Sources.refused("error/waits.groovy", "body 1024\nfilter { }"))
                .singleElement()
                .satisfies(fault -> {
                    assertThat(fault.file()).isEqualTo("error/waits.groovy");
                    assertThat(fault.message()).contains("declares a body");
                });
    }

    @Test
    void isRefusedAtTheLineOfAMalformedTimeout() throws Exception {
        assertThat(Sources.refused("inbound/t.groovy", "\ntimeout '2x'\nfilter { }"))
                .singleElement()
                .satisfies(fault -> assertThat(fault.toString())
                        .startsWith("inbound/t.groovy:2: ")
                        .contains("a duration such as 250ms"));
    }

    @Test
    void canNotChangeItsDeclarationsWhileItRuns() throws Exception {
        assertThat(answerWith("inbound/late.groovy", "filter { order 5 }").status())
                .isEqualTo(500);
    }

    @Test
    void scriptsOfOneNameInTwoPhasesAreTwoFilters() throws Exception {
        try (BuiltFilters built =
                Sources.build("inbound/log.groovy", "filter { }", "outbound/log.groovy", "filter { }")) {
            assertThat(Sources.named(built, "log"))
                    .extracting(GroovyFilter::phase)
                    .containsExactly(FilterPhase.INBOUND, FilterPhase.OUTBOUND);
        }
    }

    @Test
    void itsClosuresAreIdentifiableOnAStack() throws Exception {
        try (BuiltFilters built = Sources.build("inbound/tier.groovy", "filter { }")) {
            FilterSlot slot = FilterChains.build(built.everywhere(), Set.of(), 1, null)
                    .slots()
                    .get(0);
            assertThat(slot.isCodeOf("inbound.tier$_run_closure1")).isTrue();
            assertThat(slot.isCodeOf("inbound.tier")).isTrue();
            assertThat(slot.isCodeOf("inbound.tiers")).isFalse();
        }
    }
}
