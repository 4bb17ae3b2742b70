package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.filter.Filter;
import dev.lychgate.filters.libraries.LibraryJar;
import dev.lychgate.filters.testing.FilterTests;
import dev.lychgate.filters.testing.SentRequest;
import dev.lychgate.filters.testing.TestExchange;
import dev.lychgate.filters.testing.TestReport;
import dev.lychgate.filters.testing.TestResult;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jars in the filter directory and in the directory of {@code filters.libraries}. */
class LibrariesTest {
    private static final String SHOUT = "filter { it.request.headers['x-a'] = acme.Shout.text() }";

    private final Path root;
    private final Path libraries;
    private final GroovyFilters builder = new GroovyFilters();

    LibrariesTest(@TempDir Path root, @TempDir Path libraries) {
        this.root = root;
        this.libraries = libraries;
    }

    private void write(String path, String text) throws IOException {
        Files.createDirectories(root.resolve(path).getParent());
        Files.writeString(root.resolve(path), text);
    }

    private FilterSources read() throws Exception {
        return new FilterDirectory(root, libraries).read();
    }

    private BuiltFilters build() throws Exception {
        return builder.build(read());
    }

    private List<String> refused() throws Exception {
        try {
            build();
        } catch (FilterFaultsException e) {
            return e.faults().stream().map(FilterFault::toString).toList();
        }
        throw new AssertionError("was not refused");
    }

    private static Filter filter(BuiltFilters built, String name) {
        return Sources.named(built, name).get(0).filter();
    }

    /** Returns the header that the filter sets. */
    private static @Nullable String header(BuiltFilters built, String name) {
        return header(filter(built, name));
    }

    private static @Nullable String header(Filter filter) {
        try (TestResult result = TestExchange.get("/").through(filter)) {
            SentRequest sent = result.getSent();
            return sent == null ? null : sent.header("x-a");
        }
    }

    @Test
    void theNextGenerationUsesAJarThatWasAddedAndRefusesToLoseIt() throws Exception {
        write("inbound/shout.groovy", SHOUT);
        assertThat(refused()).anySatisfy(fault -> assertThat(fault).startsWith("inbound/shout.groovy:1:"));

        Path jar = Jars.text("acme.Shout", "one").write(root.resolve("lib/shout-1.jar"));
        assertThat(header(build(), "shout")).isEqualTo("one");

        Files.delete(jar);
        assertThat(refused()).anySatisfy(fault -> assertThat(fault).startsWith("inbound/shout.groovy:1:"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shout.jar", "lib/shout.jar", "lib/deep/shout.jar", "shared/shout.jar"})
    void jarsAreFoundAtTheTopAndInLib(String place) throws Exception {
        write("inbound/shout.groovy", SHOUT);
        Jars.text("acme.Shout", "here").write(root.resolve(place));
        assertThat(header(build(), "shout")).isEqualTo("here");
        assertThat(read().libraries()).extracting(FilterLibrary::path).containsExactly(place);
    }

    @Test
    void jarsAreFoundInTheDirectoryOfLibraries() throws Exception {
        write("inbound/shout.groovy", SHOUT);
        Jars.text("acme.Shout", "beside").write(libraries.resolve("shout.jar"));
        assertThat(header(build(), "shout")).isEqualTo("beside");
        assertThat(read().libraries())
                .extracting(FilterLibrary::path)
                .containsExactly(libraries.getFileName() + "/shout.jar");
    }

    @Test
    void aMissingDirectoryOfLibrariesIsRefused() throws Exception {
        Files.delete(libraries);
        assertThat(refused())
                .containsExactly(libraries + ": the directory of libraries can't be read: it does not exist");
    }

    @Test
    void aJarThatIsOverwrittenDoesNotAffectTheGenerationThatUsesIt() throws Exception {
        write("inbound/shout.groovy", SHOUT);
        Path jar = Jars.text("acme.Shout", "old").write(root.resolve("lib/shout.jar"));
        BuiltFilters old = build();
        Jars.text("acme.Shout", "new, and longer than before").write(jar);
        // The class is loaded only now.
        assertThat(header(old, "shout")).isEqualTo("old");
        assertThat(header(build(), "shout")).isEqualTo("new, and longer than before");
    }

    @Test
    void aJarThatIsOverwrittenMayHaveOtherMethods() throws Exception {
        write("inbound/shout.groovy", SHOUT);
        Path jar = Jars.text("acme.Shout", "old").write(root.resolve("lib/shout.jar"));
        build();
        new Jars()
                .java(
                        "acme.Shout",
                        "package acme; public class Shout { public static String louder() { return \"LOUD\"; } }")
                .write(jar);
        write("inbound/shout.groovy", SHOUT.replace("text()", "louder()"));
        assertThat(header(build(), "shout")).isEqualTo("LOUD");
    }

    @Test
    void aCopyWithTheSizeAndTimeOfTheJarIsReadAgain() throws Exception {
        Path jar = Jars.text("acme.Shout", "a").write(root.resolve("lib/shout.jar"));
        Path other = Jars.text("acme.Shout", "b").write(libraries.resolve("other"));
        FilterSources before = read();
        assertThat(Files.size(other)).isEqualTo(Files.size(jar));
        byte[] content = Files.readAllBytes(other);
        FileTime time = Files.getLastModifiedTime(jar);
        Files.write(jar, content);
        Files.setLastModifiedTime(jar, time);
        assertThat(read().isSameAs(before)).isFalse();
    }

    @Test
    void theSizesOfJarsAreWatchedSoThatGrowingOnesAreAwaited() throws Exception {
        Path jar = Jars.text("acme.Shout", "a").write(root.resolve("lib/a.jar"));
        Path beside = Jars.text("acme.Shout", "a").write(libraries.resolve("b.jar"));
        assertThat(new FilterDirectory(root, libraries).stamp().sizes())
                .containsEntry(jar.toString(), Files.size(jar))
                .containsEntry(beside.toString(), Files.size(beside));
    }

    @Test
    void aLibraryOfTheFiltersIsUsedInsteadOfThatOfTheGateway() throws Exception {
        write(
                "inbound/shout.groovy",
                "filter { it.request.headers['x-a'] = com.fasterxml.jackson.core.JsonFactory.text() }");
        Jars.text("com.fasterxml.jackson.core.JsonFactory", "own").write(root.resolve("lib/jackson-core.jar"));
        assertThat(header(build(), "shout")).isEqualTo("own");
        assertThat(read().warnings()).isEmpty();
    }

    @Test
    void classesOfSharedLibrariesInAJarAreReportedAndNotUsed() throws Exception {
        write(
                "inbound/shout.groovy",
                "filter { it.request.headers['x-a'] = io.netty.buffer.Unpooled.EMPTY_BUFFER.toString() }");
        Jars.text("io.netty.buffer.Unpooled", "own").write(root.resolve("lib/netty-4.0.jar"));
        assertThat(header(build(), "shout")).isEqualTo("EmptyByteBufBE");
        assertThat(read().warnings())
                .singleElement()
                .asString()
                .matches("lib/netty-4.0.jar: its classes in io.netty.\\* are not used, because filters share these"
                        + " classes with the gateway, which has Netty 4\\.2\\.[0-9]+\\.Final");
    }

    @Test
    void classesInTwoJarsAreReportedAndThoseOfTheFirstNameAreUsed() throws Exception {
        write("inbound/shout.groovy", SHOUT);
        Jars.text("acme.Shout", "b")
                .java("acme.Other", "package acme; class Other {}")
                .write(root.resolve("lib/b.jar"));
        Jars.text("acme.Shout", "a")
                .java("acme.Other", "package acme; class Other {}")
                .write(libraries.resolve("a.jar"));
        assertThat(header(build(), "shout")).isEqualTo("a");
        String first = libraries.getFileName() + "/a.jar";
        assertThat(read().warnings())
                .containsExactly("lib/b.jar and " + first
                        + " have the same class acme.Other and 1 more; the classes of " + first + " are used");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lib/acme/Shout.groovy | package acme; class Shout { static String text() { 'file' } }",
                "lib/acme/Shout.java | package acme; public class Shout { public static String text() { return \"file\"; } }",
                "lib/acme/Other.groovy | package acme; class Other { static class A { } }; class Shout { static String text() { 'x' } }",
            })
    void aClassOfAFileThatAJarHidesIsRefusedWithBothNames(String file, String source) throws Exception {
        write("inbound/shout.groovy", SHOUT);
        write(file, source);
        Jars.text("acme.Shout", "jar").write(root.resolve("lib/shout.jar"));
        assertThat(refused())
                .containsExactly(file + ": class acme.Shout is also in lib/shout.jar, and the class there would be"
                        + " used: keep one of the two, or rename this one");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "com.fasterxml.jackson.core.JsonFactory | is also in the class path of the gateway, and the class there would be used:",
                "dev.lychgate.gateway.Mine | is in a package that filters cannot use: dev.lychgate.*",
            })
    void aJavaClassWithTheNameOfOneOfTheGatewayIsRefused(String name, String message) throws Exception {
        int dot = name.lastIndexOf('.');
        String file = "lib/" + name.replace('.', '/') + ".java";
        write("inbound/a.groovy", "filter { }");
        write(file, "package " + name.substring(0, dot) + "; class " + name.substring(dot + 1) + " { }");
        assertThat(refused()).singleElement().asString().startsWith(file + ": class " + name + " " + message);
    }

    @Test
    void jarsOfOneNameInTwoDirectoriesOfOneNameAreBothUsed() throws Exception {
        Path beside = Files.createDirectories(libraries.resolve("lib"));
        write("inbound/shout.groovy", "filter { it.request.headers['x-a'] = acme.Shout.text() + acme.Other.text() }");
        Jars.text("acme.Shout", "a").write(root.resolve("lib/a.jar"));
        Jars.text("acme.Other", "b").write(beside.resolve("a.jar"));
        FilterSources sources = new FilterDirectory(root, beside).read();
        assertThat(sources.libraries())
                .extracting(FilterLibrary::path)
                .containsExactlyInAnyOrder("lib/a.jar", beside.resolve("a.jar").toString());
        assertThat(header(builder.build(sources), "shout")).isEqualTo("ab");
    }

    @Test
    void theDirectoryOfLibrariesMayBeLibOfTheFilters() throws Exception {
        write("inbound/shout.groovy", SHOUT);
        Jars.text("acme.Shout", "once").write(root.resolve("lib/shout.jar"));
        FilterSources sources = new FilterDirectory(root, root.resolve("lib")).read();
        assertThat(sources.libraries()).extracting(FilterLibrary::path).containsExactly("lib/shout.jar");
        assertThat(header(builder.build(sources), "shout")).isEqualTo("once");
    }

    @Test
    void aJarBeyondTheMemoryForJarsIsRefused() throws Exception {
        Path jar = Jars.text("acme.Shout", "x").write(root.resolve("lib/shout.jar"));
        int size = LibraryJar.read(jar, 1 << 20).size();
        assertThat(LibraryJar.read(jar, size).size()).isEqualTo(size);
        assertThatThrownBy(() -> LibraryJar.read(jar, size - 1))
                .isInstanceOf(IOException.class)
                .hasMessage("more content than fits into the remaining 0 KiB of the memory for jars");

        Jars.text("acme.Other", "y").write(root.resolve("lib/zother.jar"));
        DirectoryWalk walk = DirectoryWalk.of(root);
        assertThat(FilterLibraries.read(walk, null, 3L * size)).hasSize(2);
        assertThatThrownBy(() -> FilterLibraries.read(walk, null, size))
                .isInstanceOfSatisfying(
                        FilterFaultsException.class,
                        refused -> assertThat(refused.faults())
                                .singleElement()
                                .asString()
                                .startsWith("lib/zother.jar: "));
    }

    @Test
    void aTruncatedJarIsRefusedByName() throws Exception {
        Path jar = Jars.text("acme.Shout", "x").write(root.resolve("lib/shout.jar"));
        byte[] whole = Files.readAllBytes(jar);
        Files.write(jar, java.util.Arrays.copyOf(whole, whole.length / 2));
        write("lib/empty.jar", "");
        assertThat(refused())
                .hasSize(2)
                .allSatisfy(
                        fault -> assertThat(fault).containsPattern("^lib/(shout|empty).jar: can't be read as a jar: "));
    }

    @Test
    void theEntriesForTheRunningJdkAreUsedOfAMultiReleaseJar() throws Exception {
        write("inbound/shout.groovy", SHOUT);
        Jars.text("acme.Shout", "base")
                .attribute("Multi-Release", "true")
                .java(
                        "META-INF/versions/17/",
                        "acme.Shout",
                        "package acme; public class Shout { public static String text() { return \"17\"; } }")
                .write(root.resolve("lib/shout.jar"));
        assertThat(header(build(), "shout")).isEqualTo("17");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev.lychgate.gateway.Gateway", "dev.lychgate.filters.groovy.GroovyFilters"})
    void anInternalClassOfTheGatewayIsRefusedWithItsPlace(String internal) throws Exception {
        write("inbound/a.groovy", "import " + internal + "\n\nfilter { " + internal + ".toString() }");
        assertThat(refused())
                .anySatisfy(fault -> assertThat(fault)
                        .startsWith("inbound/a.groovy:1:8: unable to resolve class " + internal)
                        .contains("this class of the gateway is not part of the filter API"));
    }

    @Test
    void anInternalClassIsNotFoundByNameEither() throws Exception {
        write("inbound/a.groovy", "Class.forName('dev.lychgate.gateway.Gateway')\nfilter { }");
        assertThat(refused())
                .containsExactly("inbound/a.groovy:1: java.lang.ClassNotFoundException: "
                        + "dev.lychgate.gateway.Gateway is not part of the filter API");
    }

    @Test
    void groovyJsonIsOnTheClassPath() throws Exception {
        write("inbound/a.groovy", """
                import groovy.json.JsonOutput
                import groovy.json.JsonSlurper

                filter {
                    def order = (Map) new JsonSlurper().parseText('{"items":[1,2]}')
                    it.request.headers['x-a'] = JsonOutput.toJson(order)
                }
                """);
        assertThat(header(build(), "a")).isEqualTo("{\"items\":[1,2]}");
    }

    private static Jars filterJar(String constructor) {
        return new Jars()
                .java("acme.Stamp", """
                        package acme;

                        import dev.lychgate.filter.*;

                        public final class Stamp implements InboundFilter, SyncFilter {
                            public record Settings(@Setting(defaultValue = "stamped") String text) {}

                            private final Settings settings;

                            public Stamp(Settings settings) {
                                this.settings = settings;
                                CONSTRUCTOR
                            }

                            @Override
                            public FilterOutcome filter(FilterExchange exchange) {
                                exchange.getRequest().getHeaders().set("x-a", settings.text());
                                return exchange.proceed();
                            }
                        }
                        """.replace("CONSTRUCTOR", constructor))
                .entry("META-INF/services/dev.lychgate.filter.Filter", "# ours\nacme.Stamp # and only this\n");
    }

    @Test
    void aJarContributesTheFiltersThatItListsForServiceLoader() throws Exception {
        filterJar("").write(root.resolve("stamp.jar"));
        BuiltFilters built = build();
        assertThat(header(built, "Stamp")).isEqualTo("stamped");
        assertThat(GroovyFilters.fileOf(filter(built, "Stamp"))).isEqualTo("stamp.jar");
        assertThat(built.filters()).singleElement().satisfies(filter -> {
            assertThat(filter.file()).isEqualTo("stamp.jar");
            assertThat(filter.named().settingNames()).containsExactly("text");
            assertThat(header(filter.named().make(Map.of("text", "other")))).isEqualTo("other");
        });
    }

    @Test
    void aConstructorThatThrowsIsRefusedWithJarAndClass() throws Exception {
        filterJar("if (true) throw new IllegalStateException(\"no\");").write(root.resolve("lib/stamp.jar"));
        assertThat(refused()).containsExactly("lib/stamp.jar: class acme.Stamp: java.lang.IllegalStateException: no");
    }

    @Test
    void aFilterThatWouldEndTheJvmIsRefusedWithJarClassAndLine() throws Exception {
        filterJar("Runtime.getRuntime().addShutdownHook(new Thread(() -> System.exit(1)));")
                .java("acme.Helper", "package acme;\nclass Helper { void a() {\n Runtime.getRuntime().halt(1); } }")
                .write(root.resolve("lib/stamp.jar"));
        assertThat(refused())
                .containsExactlyInAnyOrder(
                        "lib/stamp.jar: class acme.Stamp, line 12: filters and their tests must not end the JVM, as exit of"
                                + " System or Runtime would",
                        "lib/stamp.jar: class acme.Helper, line 3: filters and their tests must not end the JVM, as halt of"
                                + " System or Runtime would");
    }

    @Test
    void aLibraryMayHaveAMainMethodThatEndsTheJvm() throws Exception {
        filterJar("")
                .java(
                        "tool.Main",
                        "package tool; public class Main { public static void main(String[] a) { System.exit(1); } }")
                .write(root.resolve("lib/stamp.jar"));
        assertThat(header(build(), "Stamp")).isEqualTo("stamped");
    }

    @ParameterizedTest
    @ValueSource(strings = {"acme.Missing", "acme.Shout"})
    void aProviderThatIsNoFilterIsRefusedWithJarAndClass(String provider) throws Exception {
        Jars.text("acme.Shout", "x")
                .entry("META-INF/services/dev.lychgate.filter.Filter", provider)
                .write(root.resolve("lib/shout.jar"));
        assertThat(refused()).singleElement().asString().startsWith("lib/shout.jar: class " + provider + " ");
    }

    @Test
    void aFilterOfAJarAndAScriptOfThatNameAreRefused() throws Exception {
        filterJar("").write(root.resolve("lib/stamp.jar"));
        write("inbound/Stamp.groovy", "filter { }");
        assertThat(refused())
                .containsExactly("lib/stamp.jar: class acme.Stamp: duplicate inbound filter Stamp, also in"
                        + " inbound/Stamp.groovy");
    }

    @Test
    void librariesFindProvidersByTheContextClassLoaderWhileFiltersAreBuilt() throws Exception {
        Jars.text("acme.Shout", "x")
                .java(
                        "acme.Find",
                        "package acme; public class Find { public static String found() { return String.valueOf(java.util"
                                + ".ServiceLoader.load(CharSequence.class).findFirst().orElse(null)); } }")
                .java(
                        "acme.Own",
                        "package acme; public class Own implements CharSequence { public char charAt(int i) { return 'x'; }"
                                + " public int length() { return 1; } public CharSequence subSequence(int a, int b) { return"
                                + " this; } public String toString() { return \"found\"; } }")
                .entry("META-INF/services/java.lang.CharSequence", "acme.Own")
                .write(root.resolve("lib/shout.jar"));
        write("inbound/a.groovy", "def found = acme.Find.found()\nfilter { it.request.headers['x-a'] = found }");
        assertThat(header(build(), "a")).isEqualTo("found");
    }

    @Test
    void bundlesUseClashingVersionsOfALibrary() throws Exception {
        for (String version : List.of("1", "2")) {
            String bundle = "bundles/v" + version;
            Jars.text("acme.Shout", version).write(root.resolve(bundle + "/lib/shout-" + version + ".jar"));
            write(
                    bundle + "/inbound/shout" + version + ".groovy",
                    "filter { it.request.headers['x-a'] = Twice.text() }");
            write(bundle + "/lib/Twice.groovy", "class Twice { static String text() { acme.Shout.text() * 2 } }");
        }
        write("inbound/outside.groovy", "filter { it.request.headers['x-a'] = 'outside' }");
        BuiltFilters built = build();
        assertThat(Stream.of("shout1", "shout2", "outside").map(name -> header(built, name)))
                .containsExactly("11", "22", "outside");
        assertThat(built.filters())
                .extracting(GroovyFilter::file)
                .containsExactly(
                        "inbound/outside.groovy",
                        "bundles/v1/inbound/shout1.groovy",
                        "bundles/v2/inbound/shout2.groovy");
        assertThat(read().warnings()).isEmpty();
    }

    @Test
    void testsBesideFiltersUseTheJarsOfTheirBundle() throws Exception {
        Jars.text("acme.Shout", "1").write(root.resolve("lib/shout.jar"));
        Jars.text("acme.Shout", "2").write(root.resolve("bundles/b/lib/shout.jar"));
        for (String bundle : List.of("", "bundles/b/")) {
            String name = bundle.isEmpty() ? "one" : "two";
            write(bundle + "inbound/" + name + ".groovy", SHOUT);
            write(
                    bundle + "inbound/" + name + "Test.groovy",
                    "test('it') { assert get('/').through(filter).sent.header('x-a') == acme.Shout.text() }");
        }
        TestReport report = FilterTests.run(root);
        assertThat(report.tests()).isEqualTo(2);
        assertThat(report.isPassed()).isTrue();
    }

    @Test
    void aFilterOutsideOfABundleDoesNotSeeItsClasses() throws Exception {
        Jars.text("acme.Shout", "1").write(root.resolve("bundles/a/shout.jar"));
        write("inbound/shout.groovy", SHOUT);
        assertThat(refused()).anySatisfy(fault -> assertThat(fault).startsWith("inbound/shout.groovy:1:"));
    }

    @Test
    void namesOfFiltersAreUniqueOverAllBundles() throws Exception {
        write("inbound/a.groovy", "filter { }");
        write("bundles/one/inbound/a.groovy", "filter { }");
        assertThat(refused())
                .containsExactly("bundles/one/inbound/a.groovy: duplicate inbound filter a, also in inbound/a.groovy");
    }

    @Test
    void theFaultsOfAllBundlesAreReported() throws Exception {
        write("inbound/a.groovy", "filter { nothing }");
        write("bundles/one/outbound/b.groovy", "filter { nothing }");
        assertThat(refused()).hasSize(2);
    }

    @Test
    void generationsWithTheSameJarsShareTheClassesOfLibraries() throws Exception {
        Jars.text("acme.Shout", "x").write(root.resolve("lib/shout.jar"));
        write("inbound/a.groovy", SHOUT);
        BuiltFilters one = build();
        write("inbound/a.groovy", SHOUT + "\n");
        BuiltFilters other = build();
        assertThat(library(one)).isSameAs(library(other));
        Jars.text("acme.Shout", "y").write(root.resolve("lib/shout.jar"));
        assertThat(library(build())).isNotSameAs(library(one));
    }

    private static Class<?> library(BuiltFilters built) throws Exception {
        return built.loader("inbound/a.groovy").loadClass("acme.Shout");
    }

    @Test
    void theClassesOfAReplacedLibraryAreUnloadedWithTheirLastGeneration() throws Exception {
        write("inbound/a.groovy", SHOUT);
        Jars.text("acme.Shout", "old").write(root.resolve("lib/shout.jar"));
        WeakReference<Class<?>> old = usedOnce();
        Jars.text("acme.Shout", "new").write(root.resolve("lib/shout.jar"));
        BuiltFilters next = build();
        assertThat(header(next, "a")).isEqualTo("new");
        // The JDK has a cache for one method handle.
        for (int i = 0; i < 100 && old.get() != null; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertThat(old.get()).isNull();
        assertThat(next.filters()).hasSize(1);
    }

    private WeakReference<Class<?>> usedOnce() throws Exception {
        try (BuiltFilters built = build()) {
            assertThat(header(built, "a")).isEqualTo("old");
            return new WeakReference<>(library(built));
        }
    }
}
