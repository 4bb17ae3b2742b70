package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.filter.Filter;
import dev.lychgate.filters.settings.NamedFilter;
import dev.lychgate.filters.testing.SentRequest;
import dev.lychgate.filters.testing.TestExchange;
import dev.lychgate.filters.testing.TestResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters in Java beside those in Groovy. */
class JavaFilesTest {
    private static final String STAMP = """
            import dev.lychgate.filter.*;

            public final class Stamp implements InboundFilter, SyncFilter {
                public record Settings(@Setting(defaultValue = "java") String text) {}

                private final Settings settings;

                public Stamp(Settings settings) {
                    this.settings = settings;
                }

                @Override
                public FilterOutcome filter(FilterExchange exchange) {
                    exchange.getRequest().getHeaders().set("x-a", settings.text());
                    return exchange.proceed();
                }
            }
            """;

    private static @Nullable String header(Filter filter) {
        try (TestResult result = TestExchange.get("/").through(filter)) {
            SentRequest sent = result.getSent();
            return sent == null ? null : sent.header("x-a");
        }
    }

    @Test
    void aClassIsAFilterWithSettings() throws Exception {
        BuiltFilters built = Sources.build("inbound/Stamp.java", STAMP);
        GroovyFilter stamp = Sources.named(built, "Stamp").get(0);
        assertThat(stamp.file()).isEqualTo("inbound/Stamp.java");
        assertThat(header(stamp.filter())).isEqualTo("java");
        assertThat(header(stamp.named().make(Map.of("text", "other")))).isEqualTo("other");
        assertThat(GroovyFilters.fileOf(stamp.filter())).isEqualTo("inbound/Stamp.java");
    }

    @Test
    void aSettingMayBeAnEmptyListByDefaultAndHasTheLineOfItsDeclaration() throws Exception {
        String settings = """
                    public record Settings(
                            String text,
                            @Setting(defaultValue = {})
                            java.util.List<String> skip,
                            @Setting(defaultValue = {}) java.util.Map<String, String> names,
                            @Setting(optional = true) Integer most) {}
                """;
        BuiltFilters built = Sources.build(
                "inbound/Stamp.java",
                STAMP.replaceFirst("(?m)^ +public record.*\\n", settings)
                        .replace("settings.text()", "\"\" + settings.skip() + settings.names() + settings.most()"));
        NamedFilter stamp = Sources.named(built, "Stamp").get(0).named();
        assertThat(header(stamp.make(Map.of("text", "a")))).isEqualTo("[]{}null");
        assertThat(stamp.place("text")).isEqualTo("inbound/Stamp.java:5");
        assertThat(stamp.place("skip")).isEqualTo("inbound/Stamp.java:7");
        assertThat(stamp.place("most")).isEqualTo("inbound/Stamp.java:9");

        assertThat(Sources.refused(
                        "inbound/Stamp.java", STAMP.replace("(defaultValue = \"java\")", "(defaultValue = {})")))
                .extracting(FilterFault::toString)
                .containsExactly("inbound/Stamp.java:4: the default of setting text: a list (expected: text)");
    }

    @Test
    void errorsOfAllFilesAreReportedWithLineAndColumn() throws Exception {
        assertThat(Sources.refused(
                        "inbound/Stamp.java",
                        STAMP.replace("exchange.proceed()", "exchange.proced()"),
                        "lib/Other.java",
                        "class Other {\n    int a = \"text\";\n}\n"))
                .extracting(FilterFault::toString)
                .satisfiesExactlyInAnyOrder(
                        fault -> assertThat(fault)
                                .startsWith("inbound/Stamp.java:15:24: cannot find symbol")
                                .contains("proced()"),
                        fault -> assertThat(fault).startsWith("lib/Other.java:2:13: incompatible types"));
    }

    @Test
    void groovyRefersToJavaClasses() throws Exception {
        BuiltFilters built = Sources.build(
                "lib/Words.java",
                "public class Words { public static String text() { return Inner.TEXT; } static class Inner { static String"
                        + " TEXT = \"shared\"; } }",
                "lib/acme/Packed.java",
                "package acme; public class Packed { public int size() { return Words2.SIZE; } } class Words2 { static int"
                        + " SIZE = 3; }",
                "inbound/a.groovy",
                "filter { it.request.headers['x-a'] = Words.text() + new acme.Packed().size() }");
        assertThat(header(Sources.named(built, "a").get(0).filter())).isEqualTo("shared3");
    }

    @Test
    void javaRefersToLibraries(@TempDir Path root) throws Exception {
        Jars.text("acme.Shout", "library").write(root.resolve("lib/shout.jar"));
        Files.createDirectories(root.resolve("inbound"));
        Files.writeString(root.resolve("inbound/Stamp.java"), STAMP.replace("settings.text()", "acme.Shout.text()"));
        BuiltFilters built = new GroovyFilters().build(new FilterDirectory(root).read());
        assertThat(header(Sources.named(built, "Stamp").get(0).filter())).isEqualTo("library");
    }

    @Test
    void anInternalClassOfTheGatewayDoesNotExist() throws Exception {
        assertThat(Sources.refused("inbound/Stamp.java", "import dev.lychgate.gateway.Gateway;\n" + STAMP))
                .extracting(FilterFault::toString)
                .singleElement()
                .asString()
                .startsWith("inbound/Stamp.java:1:");
    }

    @Test
    void aClassOfAnotherPhaseOrWithoutAPhaseIsRefused() throws Exception {
        assertThat(Sources.refused("outbound/Stamp.java", STAMP))
                .extracting(FilterFault::toString)
                .containsExactly(
                        "outbound/Stamp.java: class Stamp is a filter of the phase inbound, but is in a directory of the phase outbound");
        assertThat(Sources.refused("inbound/Stamp.java", STAMP.replace("InboundFilter, ", "")))
                .extracting(FilterFault::toString)
                .isNotEmpty();
        assertThat(Sources.refused("inbound/None.java", "class None {}"))
                .extracting(FilterFault::toString)
                .singleElement()
                .asString()
                .startsWith("inbound/None.java: has no filter");
    }

    @Test
    void aFailureInAConstructorIsReportedWithItsLine() throws Exception {
        assertThat(Sources.refused(
                        "inbound/Stamp.java",
                        STAMP.replace(
                                "this.settings = settings;", "this.settings = null; settings.text().charAt(99);")))
                .extracting(FilterFault::toString)
                .singleElement()
                .asString()
                .startsWith("inbound/Stamp.java:9: java.lang.StringIndexOutOfBoundsException");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "System.exit(1)",
                "Runtime.getRuntime().exit(1)",
                "Runtime.getRuntime().halt(1)",
                "java.util.function.IntConsumer end = System::exit; end.accept(1)",
                "new Object() { void end() { System.exit(1); } }.end()",
            })
    void aCallThatEndsTheJvmIsRefusedWithItsLine(String call) throws Exception {
        assertThat(Sources.refused(
                        "inbound/Stamp.java", STAMP.replace("return exchange", call + ";\n        return exchange")))
                .singleElement()
                .satisfies(fault -> assertThat(fault.toString())
                        .startsWith("inbound/Stamp.java:15: filters and their tests must not end the JVM, as "));
    }

    @Test
    void aMethodOfTheFileWithTheSameNameIsAccepted() throws Exception {
        Sources.build(
                "inbound/Stamp.java",
                STAMP.replace("return exchange", "exit(1);\n        return exchange")
                        .replace("    @Override", "    private static void exit(int way) {}\n\n    @Override"));
    }

    /** Builds filters in a JVM without the compiler. */
    static final class OnAJre {
        public static void main(String[] none) throws Exception {
            Sources.build("inbound/a.groovy", "filter { }");
            Sources.refused("inbound/Stamp.java", STAMP, "inbound/a.groovy", "filter { }", "lib/Words.java", "")
                    .forEach(System.out::println);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.se,jdk.unsupported",
                "java.desktop,java.logging,java.naming,java.sql,java.management,jdk.unsupported"
            })
    void aJreRefusesEachJavaFileAndBuildsGroovyFiles(String modules) throws Exception {
        Process jre = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--limit-modules",
                        modules,
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", "")),
                        OnAJre.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(jre.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(output.lines())
                .contains(
                        "inbound/Stamp.java: " + GroovyFilterCompiler.NO_JAVA_COMPILER,
                        "lib/Words.java: " + GroovyFilterCompiler.NO_JAVA_COMPILER);
        assertThat(jre.waitFor()).as(output).isZero();
    }

    @Test
    void nestingTooDeepForTheCompilerIsReportedWithItsFile() throws Exception {
        String sum = "1" + " + x".repeat(200_000);
        assertThat(Sources.refused(
                        "inbound/Stamp.java",
                        STAMP,
                        "lib/Deep.java",
                        "class Deep {\n    double sum(double x) { return " + sum + "; }\n}\n",
                        "lib/Words.java",
                        "class Words { }\n"))
                .extracting(FilterFault::toString)
                .containsExactly("lib/Deep.java: " + CompilerFaults.TOO_DEEP);
    }

    @Test
    void aClassInBothLanguagesIsRefused() throws Exception {
        assertThat(Sources.refused("lib/Words.java", "public class Words { }", "lib/Words.groovy", "class Words { }"))
                .extracting(FilterFault::toString)
                .containsExactly("lib/Words.java: class Words is also in a Groovy file");
    }

    private static List<FilterFault> faults(Path root) throws Exception {
        try (BuiltFilters built = new GroovyFilters().build(new FilterDirectory(root).read())) {
            return built.faults();
        } catch (FilterFaultsException e) {
            return e.faults();
        }
    }

    /** Writes a jar with an annotation processor for classes with {@code @Deprecated}. @param run statements that use the class found */
    private static void processor(Path jar, String run) throws Exception {
        new Jars()
                .java("acme.Checks", """
                        package acme;
                        import java.util.Set;
                        import javax.annotation.processing.*;
                        import javax.lang.model.SourceVersion;
                        import javax.lang.model.element.*;
                        import javax.tools.Diagnostic;
                        @SupportedAnnotationTypes("java.lang.Deprecated")
                        public class Checks extends AbstractProcessor {
                            @Override public SourceVersion getSupportedSourceVersion() { return SourceVersion.latest(); }
                            @Override public boolean process(Set<? extends TypeElement> types, RoundEnvironment round) {
                                for (Element found : round.getElementsAnnotatedWith(Deprecated.class)) {
                                    %s
                                }
                                return false;
                            }
                        }
                        """.formatted(run))
                .entry("META-INF/services/javax.annotation.processing.Processor", "acme.Checks")
                .write(jar);
    }

    @Test
    void annotationProcessorsInJarsTakePart(@TempDir Path root) throws Exception {
        processor(
                root.resolve("lib/checks.jar"),
                "processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR, \"checked \" + found, found);");
        Files.createDirectories(root.resolve("inbound"));
        Path file = root.resolve("inbound/Stamp.java");
        Files.writeString(file, STAMP);
        assertThat(faults(root)).isEmpty();

        Files.writeString(file, STAMP.replace("public final class", "@Deprecated\npublic final class"));
        assertThat(faults(root)).singleElement().satisfies(fault -> {
            assertThat(fault.file()).isEqualTo("inbound/Stamp.java");
            assertThat(fault.line()).isEqualTo(4);
            assertThat(fault.message()).isEqualTo("checked Stamp");
        });
    }

    @Test
    void annotationProcessorsThatGenerateFilesAreRefused(@TempDir Path root) throws Exception {
        processor(root.resolve("lib/checks.jar"), """
                try {
                    processingEnv.getFiler().createSourceFile("acme.Generated");
                } catch (java.io.IOException e) {
                    processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR, e.getMessage(), found);
                }""");
        Files.createDirectories(root.resolve("inbound"));
        Files.writeString(
                root.resolve("inbound/Stamp.java"),
                STAMP.replace("public final class", "@Deprecated\npublic final class"));

        assertThat(faults(root))
                .anySatisfy(fault ->
                        assertThat(fault.message()).contains("an annotation processor generates acme.Generated"));
    }
}
