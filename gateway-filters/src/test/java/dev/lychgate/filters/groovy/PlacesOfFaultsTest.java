package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults of a build are reported with the file, and with the line if there is one. */
@Tag("slow")
class PlacesOfFaultsTest {
    private static final String GOOD = "filter { }";
    private static final String NESTED = "is nested too deeply for the compiler";

    private static String filter(String member) {
        return "import dev.lychgate.filter.*\nclass B implements SyncFilter {\n" + member
                + "\nFilterOutcome filter(FilterExchange e) { e.proceed() } }";
    }

    private static FilterFault only(String text) throws Exception {
        List<FilterFault> faults =
                Sources.refused("inbound/a.groovy", GOOD, "inbound/B.groovy", text, "inbound/c.groovy", GOOD);
        assertThat(faults).hasSize(1);
        assertThat(faults.get(0).file()).isEqualTo("inbound/B.groovy");
        return faults.get(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1+", "'a' + ", "!"})
    void aStackOverflowInTheParser(String part) throws Exception {
        FilterFault fault = only("def x = " + part.repeat(60_000) + "1\n" + GOOD);
        assertThat(fault.message()).startsWith(NESTED);
    }

    /** The frames of compiled parser code are smaller, so the depth at the overflow and the thread must not matter. */
    @RepeatedTest(6)
    void aStackOverflowInAWarmParser() throws Exception {
        FilterFault fault = only("def x = " + "'a' + ".repeat(60_000) + "1\n" + GOOD);
        assertThat(fault.message()).startsWith(NESTED);
    }

    @Test
    void aStackOverflowInTheCompiler() throws Exception {
        FilterFault fault = only("def x = 'a'" + ".trim()".repeat(20_000) + "\n" + GOOD);
        assertThat(fault.message()).startsWith(NESTED);
    }

    @Test
    void aFailureOfTheParserWithoutAMessage() throws Exception {
        assertThat(only("def x = - - - 1\n" + GOOD).message()).startsWith("parsing failed: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "throw new Error('on purpose')",
                "throw new OutOfMemoryError('on purpose')",
                "throw new NoSuchMethodException('on purpose')",
                "throw new ExceptionInInitializerError('on purpose')",
                "throw new IllegalStateException(new Error('on purpose'))",
            })
    void theLineThatThrowsAnError(String thrown) throws Exception {
        for (String text : List.of(
                "order 1\n\n" + thrown + "\n" + GOOD,
                filter("B() { " + thrown + " }"),
                filter("static { if (true) " + thrown + " }"),
                filter("int order() { " + thrown + " }"))) {
            FilterFault fault = only(text);
            assertThat(fault.line()).as(text).isEqualTo(3);
            assertThat(fault.message()).as(text).contains("on purpose");
        }
    }

    @Test
    void anEndlessRecursion() throws Exception {
        FilterFault fault = only(filter("B() { this.down(1) }\nint down(int i) {\n1 + down(i + 1) }"));
        assertThat(fault.line()).isEqualTo(5);
        assertThat(fault.message()).contains("StackOverflowError");
    }

    @Test
    void theLineOfTheCauseIfTheErrorItselfHasNone() throws Exception {
        FilterFault fault = only(filter(
                "B() { java.util.concurrent.CompletableFuture.runAsync {\nthrow new Error('on purpose') }.join() }"));
        assertThat(fault.line()).isEqualTo(4);
    }

    @Test
    void aConstructorThatIsBlockedInSharedCode() throws Exception {
        List<FilterFault> faults = Sources.refusedWithin(
                Duration.ofSeconds(8),
                "inbound/a.groovy",
                GOOD,
                "inbound/B.groovy",
                filter("B() {\nnew Slow().sleep() }"),
                "lib/Slow.groovy",
                "class Slow {\nvoid sleep() {\nThread.sleep(60000) } }");
        assertThat(faults)
                .singleElement()
                .hasToString(
                        "inbound/B.groovy: the build exceeded filters.build-timeout (8s) and was abandoned, at lib/Slow.groovy:3");
    }

    @Test
    void aFileThatTheCompilerCompilesForTooLong() throws Exception {
        List<FilterFault> faults = Sources.refusedWithin(
                Duration.ofSeconds(3),
                "inbound/a.groovy",
                GOOD,
                "inbound/B.groovy",
                "def x = 'a'" + ".trim()".repeat(2_500) + "\n" + GOOD);
        assertThat(faults)
                .singleElement()
                .hasToString(
                        "inbound/B.groovy: the build exceeded filters.build-timeout (3s) and was abandoned, within the compiler");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "filter { it.request.header['x'] = '1' } | headers",
                "filter { it.response.statsu = 404 } | status",
                "filter { it.reqest.path; null } | request",
                "filter { it.respnd(403) } | respond",
                "filter { it.request.headers.getAl('x'); null } | getAll",
                "ordr(3); filter { null } | order",
                "filter { Bukets.take(); null } | Buckets",
                "filter { new Bukets(); null } | Buckets",
                "filter { new Buckets().sise; null } | size",
            })
    void anUnknownNameIsReportedWithTheNearestKnownOne(String script, String near) throws Exception {
        String lib = "class Buckets { int size = 1\n static int take() { 1 } }";
        assertThat(Sources.refused("outbound/a.groovy", script, "lib/Buckets.groovy", lib))
                .extracting(FilterFault::toString)
                .anySatisfy(fault -> assertThat(fault)
                        .startsWith("outbound/a.groovy:1:")
                        .endsWith("; did you mean '" + near + "'?"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "body 1024; filter { it.request.json.size; null }",
                "body 1024; filter { it.response.json.get('a'); null }",
                "body 1024; filter { def all = it.response.json; all.remove('a'); null }",
            })
    void aMemberOfAnUntypedValueIsReportedWithTheConversion(String script) throws Exception {
        assertThat(Sources.refused("outbound/a.groovy", script).get(0).toString())
                .startsWith("outbound/a.groovy:1:")
                .endsWith(
                        "; the compiler does not know the type of the value (expected: a type, as in 'value as Map')");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "filter { it.respond(403, [a: 1]) } | (expected: respond(int), respond(int, String))",
                "filter { it.redirect('/x') } | (expected: redirect(int, String))",
                "filter { it.fail(500, 'x') } | (expected: fail(ErrorKind, String))",
                "timeout 500; filter { null } | (expected: timeout(Duration), timeout(String))",
                "order = 5; filter { null } | ; did you mean a call, as in 'order(...)'?",
                "filter { log.info('x') } | ; did you mean the log of the exchange, as in 'it.log'?",
                "import com.netflix.zuul.ZuulFilter; filter { null } | : a filter of another gateway;"
                        + " docs/guides/other-gateways.md lists the counterparts",
                "import org.springframework.cloud.gateway.filter.GlobalFilter; filter { null } | : a filter of another"
                        + " gateway; docs/guides/other-gateways.md lists the counterparts",
            })
    void anUnsuitableUseIsReportedWithASuitableOne(String script, String expected) throws Exception {
        assertThat(Sources.refused("inbound/a.groovy", script))
                .extracting(FilterFault::toString)
                .anySatisfy(fault ->
                        assertThat(fault).startsWith("inbound/a.groovy:1:").endsWith(expected));
    }

    @ParameterizedTest
    @ValueSource(strings = {"filter { it.request.wholly; null }", "filter { it.respond('403') }", "filter { zzz() }"})
    void noNameIsSuggestedIfNoneIsSimilar(String script) throws Exception {
        assertThat(Sources.refused("outbound/a.groovy", script).get(0).toString())
                .doesNotContain("did you mean");
    }

    @ParameterizedTest
    @ValueSource(strings = {"inbound", "endpoint", "error", "outbound"})
    void aDuplicateNameIsReportedWithThePhase(String phase) throws Exception {
        assertThat(Sources.refused(
                                phase + "/a.groovy",
                                "filter { null }",
                                phase + "/b.groovy",
                                "name 'a'; filter { null }")
                        .toString())
                .contains("duplicate " + phase + " filter a, also in " + phase + "/a.groovy");
    }
}
