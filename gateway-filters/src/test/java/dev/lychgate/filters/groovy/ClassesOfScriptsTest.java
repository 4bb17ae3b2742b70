package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.RawMessage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Named and anonymous classes that a script declares beside its closure, with real requests. */
@Tag("slow")
class ClassesOfScriptsTest {
    private static final String STATIC = "import java.util.function.Function\n";
    private static final String DYNAMIC =
            "@CompileDynamic import groovy.transform.CompileDynamic\nimport java.util.function.Function\n";

    private static RawMessage response(String... pathsAndTexts) throws Exception {
        try (BuiltFilters filters = Sources.build(pathsAndTexts);
                GatewayWithFilters gateway = new GatewayWithFilters(filters)) {
            return gateway.get("/");
        }
    }

    /** Returns the X-A that a script with that body sends to the origin. */
    private static String valueOf(String how, String body) throws Exception {
        return response("inbound/my-filter.groovy", how + body).body();
    }

    @ParameterizedTest
    @ValueSource(strings = {STATIC, DYNAMIC})
    void anAnonymousClass(String how) throws Exception {
        assertThat(valueOf(how, """
                        filter { e ->
                            def byLength = new Comparator<String>() {
                                int compare(String a, String b) { a.length() <=> b.length() }
                            }
                            List<String> words = ['three', 'one', 'four']
                            words.sort(byLength)
                            e.request.headers['x-a'] = words[0]
                        }
                        """)).isEqualTo("one");
    }

    @ParameterizedTest
    @ValueSource(strings = {STATIC, DYNAMIC})
    void anAnonymousTransformOfABody(String how) throws Exception {
        assertThat(response("outbound/upper.groovy", how + """
                        import dev.lychgate.filter.BodyTransform

                        filter { e ->
                            e.response.transformBody(new BodyTransform() {
                                private int seen
                                byte[] piece(byte[] piece) {
                                    seen += piece.length
                                    new String(piece).toUpperCase().bytes
                                }
                                byte[] end() { (' ' + seen).bytes }
                            })
                        }
                        """).body()).isEqualTo("NONE 4");
    }

    @ParameterizedTest
    @ValueSource(strings = {STATIC, DYNAMIC})
    void anAnonymousClassThatUsesVariablesOfItsScope(String how) throws Exception {
        assertThat(valueOf(how, """
                        String prefix = 'p-'
                        filter { e ->
                            String path = e.request.path
                            Function<String, String> f = new Function<String, String>() {
                                String apply(String s) { prefix + s + path }
                            }
                            e.request.headers['x-a'] = f.apply('x')
                        }
                        """)).isEqualTo("p-x/");
    }

    @ParameterizedTest
    @ValueSource(strings = {STATIC, DYNAMIC})
    void nestedAnonymousClassesAndAnonymousClassesInClosures(String how) throws Exception {
        assertThat(valueOf(how, """
                        filter { e ->
                            List<String> parts = ['a', 'b'].collect { String part ->
                                Function<String, Function<String, String>> outer = new Function<String, Function<String, String>>() {
                                    Function<String, String> apply(String s) {
                                        new Function<String, String>() {
                                            String apply(String t) { [s, t].collect { String u -> u + part }.join('') }
                                        }
                                    }
                                }
                                outer.apply('1').apply('2')
                            }
                            e.request.headers['x-a'] = parts.join('-')
                        }
                        """)).isEqualTo("1a2a-1b2b");
    }

    @ParameterizedTest
    @ValueSource(strings = {STATIC, DYNAMIC})
    void anAnonymousClassInAMethodOfTheScript(String how) throws Exception {
        assertThat(valueOf(how, """
                        Function<String, String> twice() {
                            new Function<String, String>() {
                                String apply(String s) { s + s }
                            }
                        }
                        def doubled = twice()
                        filter { e -> e.request.headers['x-a'] = doubled.apply('ab') }
                        """)).isEqualTo("abab");
    }

    @ParameterizedTest
    @ValueSource(strings = {STATIC, DYNAMIC})
    void aTraitAnEnumARecordAndAnInterface(String how) throws Exception {
        assertThat(valueOf(how, """
                        interface Named { String name() }
                        trait Loud implements Named { String loud() { name().toUpperCase() } }
                        record Pair(String left, String right) implements Named {
                            String name() { left + right }
                        }
                        class Speaker implements Loud { String name() { 'x' } }
                        enum Level {
                            LOW { int weight() { 1 } },
                            HIGH { int weight() { 9 } }
                            abstract int weight()
                        }
                        class Outer {
                            static class Inner { String value = 'i' }
                        }
                        filter { e ->
                            e.request.headers['x-a'] = new Pair('l', 'r').name() + new Speaker().loud() + Level.HIGH.weight() \
                                    + new Outer.Inner().value
                        }
                        """)).isEqualTo("lrX9i");
    }

    @ParameterizedTest
    @ValueSource(strings = {STATIC, DYNAMIC})
    void lambdasAndMethodReferences(String how) throws Exception {
        assertThat(valueOf(how, """
                        filter { e ->
                            String tail = '!'
                            Function<String, String> lambda = (String s) -> s + tail
                            Function<String, String> reference = String::trim
                            Function<String, Integer> parse = Integer::parseInt
                            Function<String, StringBuilder> make = StringBuilder::new
                            e.request.headers['x-a'] = lambda.apply(reference.apply(' a ')) + parse.apply('7') + make.apply('b')
                        }
                        """)).isEqualTo("a!7b");
    }

    @ParameterizedTest
    @ValueSource(strings = {STATIC, DYNAMIC})
    void classesOfTheSharedDirectory(String how) throws Exception {
        assertThat(response("lib/Words.groovy", how + """
                        class Words {
                            static Comparator<String> byLength() {
                                new Comparator<String>() {
                                    int compare(String a, String b) { a.length() <=> b.length() }
                                }
                            }
                            static Function<String, String> quoted(String mark) { (String s) -> mark + s + mark }
                        }
                        trait Shout { String shout(String s) { s.toUpperCase() } }
                        enum Size { SMALL, LARGE }
                        record Point(int x, int y) {}
                        """, "inbound/uses.groovy", how + """
                        class Shouter implements Shout {}
                        filter { e ->
                            List<String> words = ['three', 'one']
                            words.sort(Words.byLength())
                            e.request.headers['x-a'] = Words.quoted('*').apply(words[0]) + new Shouter().shout('a') + Size.LARGE + new Point(1, 2).y()
                        }
                        """)
                        .body())
                .isEqualTo("*one*ALARGE2");
    }

    @Test
    void scriptsOfOneNameInTwoDirectoriesHaveSeparateClasses() throws Exception {
        String script = """
                import java.util.function.Supplier
                filter { e ->
                    Supplier<String> s = new Supplier<String>() { String get() { '%1$s' } }
                    e.%2$s.headers['x-a'] = s.get()
                }
                """;
        RawMessage response = response(
                "inbound/one.groovy", script.formatted("in", "request"),
                "outbound/one.groovy", script.formatted("out", "response"));
        assertThat(response.body()).isEqualTo("in");
        assertThat(response.value("x-a")).hasValue("out");
    }

    @Test
    void anAnonymousClassIsReportedWithTheFileOfTheScript() throws Exception {
        assertThat(Sources.refused("inbound/a.groovy", """
                filter { }
                def broken = new Runnable() {
                    void run() {
                        throw new IllegalStateException('no')
                    }
                }
                broken.run()
                """))
                .extracting(FilterFault::toString)
                .containsExactly("inbound/a.groovy:4: java.lang.IllegalStateException: no");
    }
}
