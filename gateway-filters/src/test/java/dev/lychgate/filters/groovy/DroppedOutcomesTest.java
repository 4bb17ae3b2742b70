package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An outcome that is created and dropped is refused. An outcome that may be the result of a filter is accepted. */
@Tag("slow")
@Tag("each-jdk")
class DroppedOutcomesTest {
    private static final String DYNAMIC = "@CompileDynamic import groovy.transform.CompileDynamic\n";

    private static final String IMPORTS = "import dev.lychgate.filter.*; import dev.lychgate.error.*;"
            + " import static dev.lychgate.filter.FilterOutcome.redirect as elsewhere;"
            + " import java.util.concurrent.*\n";

    private static final String CLASS = IMPORTS + """
            class A implements SyncFilter {
                FilterOutcome refusal(FilterExchange e) { e.respond(403) }
                static FilterOutcome denial(FilterExchange e) { e.respond(403) }
                FilterOutcome filter(FilterExchange e) {
            %s
                }
            }
            """;

    private static void isLost(String file, int line, String text) throws Exception {
        List<FilterFault> faults = Sources.refused(file, text);
        assertThat(faults).singleElement().satisfies(fault -> {
            assertThat(fault.file()).isEqualTo(file);
            assertThat(fault.line()).isEqualTo(line);
            assertThat(fault.column()).isPositive();
            assertThat(fault.message()).startsWith("this outcome is lost").contains("return");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "if (e.request.query) { e.respond(403) }\n e.request.path = '/x'\n null",
                "e.respond(403)\n null",
                "e?.respond(403)\n null",
                "e.respond(403, 'no').header('x-why', 'because')\n e.proceed()",
                "e.request.query ? e.respond(403) : null\n null",
                "e.request.query && e.respond(403)\n null",
                "FilterOutcome.respond(403)\n null",
                "e.redirect(302, '/there')\n null",
                "elsewhere(302, '/there')\n null",
                "e.fail(ErrorKind.NO_ENDPOINT, 'no')\n null",
                "for (x in [1, 2]) { e.respond(403) }",
                "while (e.request.query) { e.respond(403) }",
                "try { e.respond(403) } finally { e.log.info('x') }\n null",
                "try { null } finally { e.respond(403) }",
                "switch (e.request.path) { case '/a': e.respond(403); break }\n null",
                "[1, 2].each { x -> if (x > 1) { e.respond(403) } }\n null",
                "[1, 2].each { x -> if (x > 1) { return e.respond(403) } }\n null",
                "[1, 2].eachWithIndex { x, i -> e.respond(403) }\n null",
                "2.times { e.respond(403) }\n null",
                "e.tap { e.respond(403) }\n null",
            })
    void anOutcomeThatIsNotReturned(String code) throws Exception {
        isLost("inbound/a.groovy", 3, IMPORTS + "filter { e ->\n" + code + "\n}");
        isLost("inbound/a.groovy", 4, DYNAMIC + IMPORTS + "filter { e ->\n" + code + "\n}");
        isLost("inbound/A.groovy", 6, CLASS.formatted(code));
        isLost(
                "inbound/A.groovy",
                7,
                CLASS.formatted(code).replace("class A", "@groovy.transform.CompileDynamic\nclass A"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "refusal(e)\n null",
                "this.refusal(e)\n null",
                "denial(e)\n null",
                "e.proceed()\n e.respond(403)",
                "new CompletableFuture<Integer>().thenAccept { e.respond(403) }\n null",
                "[1].forEach { e.respond(403) }\n null",
                "Optional.of(1).ifPresent { e.respond(403) }\n null",
            })
    void aValueOfTheTypeOfAnOutcome(String code) throws Exception {
        isLost("inbound/A.groovy", 6, CLASS.formatted(code));
    }

    /** The type checker refuses a method without the required outcome. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "e.request.query && e.respond(403)",
                "return e.request.query && e.respond(403)",
                "[1, 2].each { x -> if (x > 1) { e.respond(403) } }",
                "[1, 2].eachWithIndex { x, i -> e.respond(403) }"
            })
    void anOutcomeThatALastStatementDrops(String code) throws Exception {
        isLost("inbound/a.groovy", 3, IMPORTS + "filter { e ->\n" + code + "\n}");
        isLost("inbound/a.groovy", 4, DYNAMIC + IMPORTS + "filter { e ->\n" + code + "\n}");
    }

    @Test
    void anOutcomeOfTheImplicitExchange() throws Exception {
        isLost("inbound/a.groovy", 2, "filter {\n it.respond(403)\n null }");
        isLost("inbound/a.groovy", 3, DYNAMIC + "filter {\n it.respond(403)\n null }");
    }

    @Test
    void anOutcomeThatALaterStepOfAnAsynchronousFilterDrops() throws Exception {
        isLost("inbound/a.groovy", 4, """
                import java.util.concurrent.CompletableFuture
                async { e ->
                    CompletableFuture.completedFuture(3).thenApply { n ->
                        if (n > 2) { e.respond(403) }
                        e.proceed()
                    }
                }
                """);
    }

    @Test
    void anOutcomeOfAMethodWithoutAResult() throws Exception {
        isLost("inbound/a.groovy", 2, """
                void refuse(dev.lychgate.filter.FilterExchange e) {
                    e.respond(403)
                }
                filter { refuse(it) }
                """);
    }

    @Test
    void theMessageNamesEach() throws Exception {
        assertThat(Sources.refused("inbound/a.groovy", "filter { e -> [1].each { e.respond(403) } }")
                        .get(0)
                        .message())
                .contains("each ignores the result of its closure", "for loop");
    }

    @Test
    void allLostOutcomesAreReported() throws Exception {
        assertThat(Sources.refused(
                        "inbound/a.groovy", "filter {\n it.respond(403)\n it.respond(404)\n null }",
                        "inbound/b.groovy", "filter {\n it.respond(403)\n null }"))
                .extracting(FilterFault::toString)
                .satisfiesExactly(
                        fault -> assertThat(fault).startsWith("inbound/a.groovy:2:"),
                        fault -> assertThat(fault).startsWith("inbound/a.groovy:3:"),
                        fault -> assertThat(fault).startsWith("inbound/b.groovy:2:"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "e.respond(403)",
                "e.respond(200).header('a', 'b')",
                "return e.respond(403)",
                "if (e.request.query) { return e.respond(403) }\n e.proceed()",
                "def out = e.respond(200); out.header('a', 'b'); return out",
                "def out = e.respond(200)\n if (e.request.query) { out.header('a', 'b').text('c') }\n out",
                "e.request.query ? e.respond(403) : e.proceed()",
                "if (e.request.query) { e.respond(403) } else { e.proceed() }",
                "if (e.request.query) { e.respond(403) } else if (e.request.host) { e.redirect(302, '/') } else { null }",
                "switch (e.request.path) {\n case '/a': e.respond(403); break\n case '/b': return e.respond(404)\n"
                        + " default: e.proceed() }",
                "def out = switch (e.request.path) { case '/a' -> e.respond(403); default -> e.proceed() }\n out",
                "try { e.respond(403) } catch (IllegalStateException x) { e.respond(500) } finally { e.log.info('x') }",
                "synchronized (this) { e.respond(403) }",
                "for (x in [1, 2]) { if (x > 1) { return e.respond(403) } }\n e.proceed()",
                "def make = { int status -> e.respond(status) }\n make(403)",
                "def out = [1, 2].findResult { x -> x > 1 ? e.respond(403) : null }\n out ?: e.proceed()",
                "FilterOutcome out = null\n [1].each { out = e.respond(403) }\n out ?: e.proceed()",
                "def kept = new ConcurrentHashMap<String, FilterOutcome>()\n kept.put('a', e.respond(403))\n"
                        + " kept.computeIfAbsent('a') { e.respond(404) }\n kept.get('a')",
                "List<FilterOutcome> all = []\n all << e.respond(403)\n all.add(e.respond(404))\n all[0]",
                "e.with { respond(403) }",
                "e.respond(403).tap { header('a', 'b') }",
                "def later = CompletableFuture.completedFuture(3).thenApply { e.respond(403) }\n later.join()",
            })
    void acceptsOutcomesThatMayBeTheResult(String code) throws Exception {
        Sources.build("inbound/a.groovy", IMPORTS + "filter { e ->\n" + code + "\n}")
                .close();
        Sources.build("inbound/A.groovy", CLASS.formatted(code)).close();
        Sources.build("inbound/a.groovy", DYNAMIC + IMPORTS + "filter { e ->\n" + code + "\n}")
                .close();
    }

    @Test
    void acceptsMethodsOfTheSameNameThatReturnNoOutcome() throws Exception {
        Sources.build("inbound/a.groovy", DYNAMIC + """
                class Bell { void respond(int times) { }; void fail(String why) { } }
                def bell = new Bell()
                filter {
                    bell.respond(3)
                    new Bell().fail('x')
                    null
                }
                """).close();
    }
}
