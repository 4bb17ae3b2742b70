package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A filter that would end the process is refused, in every notation. A filter with its own method exit is accepted. */
@Tag("slow")
@Tag("each-jdk")
class EndingTheProcessTest {
    private static final String DYNAMIC = "@groovy.transform.CompileDynamic ";
    private static final String OWN = """
        class Door {
            int exit(int way) { way }
            static int halt(int way) { way }
            Door next() { this }
        }
        """;

    /** Returns a filter with {@code member} on its second line. */
    private static String filter(String imports, String mark, String member) {
        return "import dev.lychgate.filter.*; " + imports + "\n" + mark + "class A implements SyncFilter { " + member
                + "\n FilterOutcome filter(FilterExchange e) { e.proceed() } }\n";
    }

    private static void assertRefused(String source) throws Exception {
        List<FilterFault> faults = Sources.refused("inbound/A.groovy", source);
        assertThat(faults).as(source).anySatisfy(fault -> {
            assertThat(fault.message()).contains("must not end the JVM");
            assertThat(fault.file()).isEqualTo("inbound/A.groovy");
            assertThat(fault.line()).isEqualTo(2);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "System.exit(1)",
                "java.lang.System.exit(1)",
                "Runtime.runtime.exit(1)",
                "Runtime.runtime.\"exit\"(1)",
                "Runtime.getRuntime().halt(1)",
                "def r = Runtime.runtime; r.halt(1)",
                "Runtime r = Runtime.runtime; r.exit(1)",
                "[1].each(System.&exit)",
                "java.util.function.IntConsumer c = System::exit",
                "System.with { exit(1) }",
                "System.invokeMethod('exit', 1)",
                "System.invokeMethod('ex' + 'it', 1)",
                "System.getMethod('exit', int).invoke(null, 1)",
                "Class.forName('java.lang.System').getMethod('exit', int).invoke(null, 1)",
                "System.metaClass.invokeStaticMethod(System, 'exit', 1)",
                "org.codehaus.groovy.runtime.InvokerHelper.invokeMethod(System, 'exit', 1)",
                "[1].each { [2].each { System.exit(it) } }",
                "new Object() { void m() { System.exit(1) } }",
                "[System]*.exit(1)",
            })
    void inStaticAndDynamicCode(String call) throws Exception {
        assertRefused(filter("", "", "A() { " + call + " }"));
        assertRefused(filter("", DYNAMIC, "A() { " + call + " }"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "System.\"${'ex' + 'it'}\"(1)",
                "Runtime.runtime.\"${'ex' + 'it'}\"(1)",
                "[1].each(System::exit)",
                "Class c = System; c.exit(1)",
                "def c = System; c.exit(1)",
                "def c = [System]; c[0].exit(1)",
                "System?.exit(1)",
                "System.exit(*[1])",
                "def c = System; c.&exit",
                "Class.forName('java.lang.System').exit(1)",
                "Runtime.runtime.each { it.halt(1) }",
                "exit(1)",
            })
    void inDynamicallyResolvedCode(String call) throws Exception {
        assertRefused(filter("", DYNAMIC, "A() { " + call + " }"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "int m(int a = System.exit(1)) { a }",
                "def m = { a = System.exit(1) -> a }",
                "def m = System.exit(1)",
                "static { System.exit(1) }",
                "@groovy.transform.Memoized def m() { System.exit(1) }",
                "static class Inner { def m() { System.exit(1) } }",
                "@groovy.transform.CompileDynamic def m() { def c = System; c.exit(1) }",
                "@groovy.transform.CompileDynamic int m(a = [System]*.exit(1)) { 1 }",
                "@groovy.transform.Synchronized def m() { System.exit(1) }",
            })
    void atEveryPlaceOfAFile(String member) throws Exception {
        String value = member.replace("System.exit(1)", "{ -> System.exit(1); 1 }()");
        assertRefused(filter("", "", value));
        assertRefused(filter("", DYNAMIC, value));
    }

    @Test
    void inATrait() throws Exception {
        for (String mark : List.of("", DYNAMIC)) {
            assertRefused("import dev.lychgate.filter.*\n" + mark + "trait T { def m() { System.exit(1) } }\n"
                    + "class A implements SyncFilter, T { FilterOutcome filter(FilterExchange e) { e.proceed() } }");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "import static java.lang.System.exit; -> exit(1)",
                "import static java.lang.System.*; -> exit(1)",
                "import static java.lang.System.exit as leave; -> leave(1)",
                "import java.lang.System as S; -> S.exit(1)",
                "import java.lang.Runtime as R; -> R.runtime.halt(1)",
            })
    void underAnotherName(String importAndCall) throws Exception {
        String[] parts = importAndCall.split("->", 2);
        assertRefused(filter(parts[0], "", "A() { " + parts[1] + " }"));
        assertRefused(filter(parts[0], DYNAMIC, "A() { " + parts[1] + " }"));
    }

    @Test
    void isReportedWithItsFile() throws Exception {
        List<FilterFault> faults = Sources.refused(
                "inbound/a.groovy", "filter { new Last().word() }",
                "lib/Last.groovy", "class Last {\n  void word() {\n    System.exit(1)\n  }\n}");
        assertThat(faults)
                .singleElement()
                .hasToString("lib/Last.groovy:3:5: filters and their tests must not end the JVM, as exit of System or"
                        + " Runtime would");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "System.nanoTime()",
                "System.getenv('exit')",
                "System.getProperty('halt')",
                "Runtime.runtime.availableProcessors()",
                "Door d = new Door(); d.exit(1)",
                "((Door) new Door()).exit(1)",
                "exit(1)",
                "this.exit(1)",
                "[1].each { exit(it) }",
                "Door d = new Door(); [1].each { d.exit(it) }",
                "Door d = new Door(); [1].each(d.&exit)",
                "def exit = 1; exit + 1",
                "['exit', 'halt'].contains('exit')",
                "[exit: 1].exit",
            })
    void acceptsAMethodOfTheFilter(String call) throws Exception {
        for (String mark : List.of("", DYNAMIC)) {
            Sources.build(
                            "inbound/A.groovy",
                            filter("", mark, "int exit(int way) { way }\n A() { " + call + " }") + OWN)
                    .close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "def d = new Door(); d.exit(1)",
                "new Door().exit(1)",
                "new Door().next().exit(1)",
                "Door.halt(1)",
                "[new Door()]*.exit(1)",
                "def d = new Door(); d.&exit",
                "[new Door()].each { it.exit(1) }",
            })
    void acceptsAMethodOfAnotherClass(String call) throws Exception {
        Sources.build("inbound/A.groovy", filter("", "", "A() { " + call + " }") + OWN)
                .close();
    }

    @Test
    void acceptsAMethodOfTheScript() throws Exception {
        Sources.build("inbound/a.groovy", "void exit(int door) { }\nfilter { exit(3) }")
                .close();
        Sources.build(
                        "inbound/a.groovy",
                        "@groovy.transform.CompileDynamic\n"
                                + "import java.util.List\n"
                                + "void exit(int door) { }\n"
                                + "filter { exit(3) }")
                .close();
    }
}
