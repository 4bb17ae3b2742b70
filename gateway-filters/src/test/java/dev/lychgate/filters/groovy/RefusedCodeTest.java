package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Refused code, and the reported place. */
@Tag("slow")
@Tag("each-jdk")
class RefusedCodeTest {
    private static final String IMPORT = "import dev.lychgate.filter.*\n";

    private static String at(List<FilterFault> faults) {
        assertThat(faults).hasSize(1);
        return faults.get(0).file() + ":" + faults.get(0).line() + ":"
                + faults.get(0).column();
    }

    @Test
    void aSyntaxErrorHasItsPlace() throws Exception {
        List<FilterFault> faults = Sources.refused("inbound/a.groovy", "order 3\nif (x { }");
        assertThat(at(faults)).isEqualTo("inbound/a.groovy:2:10");
    }

    @Test
    void aSyntaxErrorInAClosureHasItsPlace() throws Exception {
        assertThat(at(Sources.refused("inbound/a.groovy", "filter { exchange ->\n    exchange.request.method = ]\n}")))
                .isEqualTo("inbound/a.groovy:2:31");
        assertThat(at(Sources.refused("inbound/a.groovy", "filter {\n  [1].each {\n    def 1x = 3\n  }\n}")))
                .startsWith("inbound/a.groovy:3:");
    }

    @Test
    void anUnclosedBracketIsReported() throws Exception {
        List<FilterFault> faults = Sources.refused("inbound/a.groovy", "order 3\nfilter {\n  if (it) {\n}");
        assertThat(at(faults)).isEqualTo("inbound/a.groovy:2:8");
        assertThat(faults.get(0).message()).isEqualTo("this '{' is never closed");
    }

    @Test
    void aTypeErrorHasItsPlace() throws Exception {
        List<FilterFault> faults = Sources.refused("inbound/a.groovy", "filter {\n  it.request.pahth = '/x'\n}");
        assertThat(at(faults)).isEqualTo("inbound/a.groovy:2:3");
        assertThat(faults.get(0).message()).contains("pahth");
    }

    @Test
    void anUnknownClassHasItsPlace() throws Exception {
        List<FilterFault> faults = Sources.refused("inbound/a.groovy", "\nfilter { new Nowhere() }");
        assertThat(at(faults)).isEqualTo("inbound/a.groovy:2:10");
    }

    @Test
    void faultsOfAllFilesAreReported() throws Exception {
        List<FilterFault> faults = Sources.refused(
                "inbound/a.groovy", "filter { new Nowhere() }",
                "inbound/b.groovy", "filter { new Nobody() }",
                "inbound/c.groovy", "filter { }");
        assertThat(faults).extracting(FilterFault::file).containsExactly("inbound/a.groovy", "inbound/b.groovy");
    }

    @Test
    void syntaxErrorsOfAllFilesAreReported() throws Exception {
        List<FilterFault> faults = Sources.refused(
                "inbound/a.groovy",
                "filter { (",
                "inbound/b.groovy",
                "filter {\n ] }",
                "inbound/c.groovy",
                "filter { }");
        assertThat(faults).extracting(FilterFault::file).contains("inbound/a.groovy", "inbound/b.groovy");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.math.BigDecimal",
                "java.math.BigInteger",
                "java.lang.String",
                "java.util.Date",
                "java.io.File",
                "java.net.URL",
                "groovy.lang.Closure",
                "groovy.util.Node"
            })
    void aClassThatHidesADefaultImport(String hidden) throws Exception {
        String name = hidden.substring(hidden.lastIndexOf('.') + 1);
        String reason = "class " + name + " would be used in place of " + hidden + " in every filter";
        assertThat(Sources.refused("lib/" + name + ".groovy", "\nclass " + name + " { int s }"))
                .anySatisfy(fault -> assertThat(fault.toString())
                        .startsWith("lib/" + name + ".groovy:2:1: ")
                        .contains(reason));
        assertThat(Sources.refused("lib/" + name + ".java", "public class " + name + " { }"))
                .anySatisfy(fault -> assertThat(fault.toString())
                        .startsWith("lib/" + name + ".java: ")
                        .contains(reason));
    }

    @Test
    void aClassOfAPackageOrWithinAnotherHidesNone() throws Exception {
        try (BuiltFilters built = Sources.build(
                "lib/acme/Date.groovy",
                "package acme\nclass Date { int day = 1 }",
                "lib/Calendar2.groovy",
                "class Calendar2 { static class Node { int day = 2 } }",
                "inbound/a.groovy",
                "filter { it.request.headers['x-time'] = new Date(0).time + new acme.Date().day }")) {
            assertThat(built.filters()).hasSize(1);
        }
    }

    @Test
    void anUnknownDirectory() throws Exception {
        assertThat(Sources.refused("inbond/a.groovy", "filter { }").get(0).message())
                .contains("inbound, pre, ");
    }

    @Test
    void aClassWithoutAForm() throws Exception {
        assertThat(at(Sources.refused("inbound/A.groovy", IMPORT + "class A implements InboundFilter { }")))
                .startsWith("inbound/A.groovy:2:");
        assertThat(at(Sources.refused("inbound/A.groovy", "class A { }"))).isEqualTo("inbound/A.groovy:0:0");
    }

    @Test
    void aPhaseOtherThanThatOfTheDirectory() throws Exception {
        List<FilterFault> faults = Sources.refused(
                "inbound/A.groovy",
                IMPORT
                        + "class A implements OutboundFilter, SyncFilter { FilterOutcome filter(FilterExchange e) {"
                        + " e.proceed() } }");
        assertThat(faults.get(0).toString())
                .startsWith("inbound/A.groovy:2:1: ")
                .contains("is a filter of the phase outbound, but is in a directory of the phase inbound");
    }

    @Test
    void aPhaseMethodOtherThanThatOfTheDirectory() throws Exception {
        List<FilterFault> faults = Sources.refused(
                "inbound/A.groovy",
                IMPORT
                        + "class A implements SyncFilter { FilterPhase phase() { FilterPhase.ERROR }\n"
                        + " FilterOutcome filter(FilterExchange e) { e.proceed() } }");
        assertThat(at(faults)).isEqualTo("inbound/A.groovy:2:0");
    }

    @Test
    void twoFiltersOfOneNameInAPhase() throws Exception {
        List<FilterFault> faults = Sources.refused(
                "inbound/a.groovy", "name 'same'\nfilter { }", "pre/b.groovy", "name 'same'\nfilter { }");
        assertThat(faults.get(0).toString()).contains("duplicate inbound filter same, also in inbound/a.groovy");
    }

    @Test
    void aConstructorThatThrowsIsReportedWithItsLine() throws Exception {
        List<FilterFault> faults = Sources.refused("inbound/A.groovy", IMPORT + """
            class A implements SyncFilter {
                A() {
                    throw new IllegalStateException('no licence')
                }
                FilterOutcome filter(FilterExchange e) { e.proceed() }
            }
            """);
        assertThat(at(faults)).isEqualTo("inbound/A.groovy:4:0");
        assertThat(faults.get(0).message()).contains("no licence");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@Grab('org.nowhere:nothing:1.0')\nimport java.util.List",
                "@Grapes(@Grab('org.nowhere:nothing:1.0'))\nimport java.util.List",
                "@GrabResolver('http://127.0.0.1:1/')\nimport java.util.List",
                "import groovy.lang.Grab as Harmless",
                "import groovy.grape.Grape",
            })
    void downloads(String line) throws Exception {
        assertThat(Sources.refused("inbound/a.groovy", line + "\nfilter { }"))
                .anySatisfy(fault -> assertThat(fault.toString())
                        .startsWith("inbound/a.groovy:1:")
                        .contains("downloads nothing"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@groovy.transform.ASTTest(value = { throw new Error('ran') }) class X { }",
                "class X { @groovy.transform.ASTTest(value = { throw new Error('ran') }) void x() { } }",
                "import groovy.transform.ASTTest as Harmless",
                "@groovy.transform.CompileStatic(extensions = 'evil.groovy') class X { }",
            })
    void codeForTheCompilerToRun(String line) throws Exception {
        assertThat(Sources.refused("inbound/a.groovy", line + "\nfilter { }"))
                .allSatisfy(fault -> assertThat(fault.toString())
                        .startsWith("inbound/a.groovy:1:")
                        .contains("would run"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev.lychgate.filter", "java.util", "groovy.lang", "io.netty.channel"})
    void classesInReservedPackages(String name) throws Exception {
        String simple = name.equals("io.netty.channel") ? "Channel" : "Mine";
        assertThat(at(Sources.refused("lib/Mine.groovy", "package " + name + "\nclass " + simple + " { }")))
                .startsWith("lib/Mine.groovy:2:");
    }

    @Test
    void aStaticBlockThatNeverEnds() throws Exception {
        List<FilterFault> faults = Sources.refusedWithin(Duration.ofSeconds(4), "inbound/A.groovy", IMPORT + """
            class A implements SyncFilter {
                static {
                    while (true) {
                        Thread.sleep(10)
                    }
                }
                FilterOutcome filter(FilterExchange e) { e.proceed() }
            }
            """);
        assertThat(faults.get(0).file()).isEqualTo("inbound/A.groovy");
        assertThat(faults.get(0).line()).isBetween(3, 6);
        assertThat(faults.get(0).message()).contains("the build exceeded filters.build-timeout (4s)");
    }

    @Test
    void nestingThatTheCompilerWouldCompileForHours() throws Exception {
        assertThat(at(Sources.refused(
                        "inbound/a.groovy", "filter {\n" + "[".repeat(60_000) + "]".repeat(60_000) + " }")))
                .isEqualTo("inbound/a.groovy:2:0");
    }

    @Test
    void realisticNestingIsCompiled() throws Exception {
        for (String pair : List.of("[]", "()")) {
            int depth = GroovyFilterCompiler.DEEPEST - 1;
            String nested =
                    pair.substring(0, 1).repeat(depth) + "1" + pair.substring(1).repeat(depth);
            Sources.build("inbound/a.groovy", "filter { " + nested + " }").close();
        }
    }
}
