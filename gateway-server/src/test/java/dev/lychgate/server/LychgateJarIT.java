package dev.lychgate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The jar and the launcher in the form of a release; runs after packaging. */
class LychgateJarIT {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path JAR = ROOT.resolve("gateway-server/target/lychgate.jar");
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private record Ended(int code, String out, String err) {}

    @TempDir
    private static Path dir = Path.of("");

    @Test
    void printsTheVersionOfItsManifest() throws Exception {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            String version = jar.getManifest().getMainAttributes().getValue("Implementation-Version");
            assertThat(java(List.of("--version")).out()).startsWith("lychgate " + version + "\n");
        }
    }

    /** The JVM would search for a version of each class that it loads. */
    @Test
    void isNoMultiReleaseJar() throws Exception {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertThat(jar.isMultiRelease()).isFalse();
            assertThat(jar.stream().map(JarEntry::getName)).noneMatch(name -> name.startsWith("META-INF/versions"));
        }
    }

    @Test
    void containsNeitherSignaturesNorModules() throws Exception {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            Stream<String> names = jar.stream().map(e -> e.getName());
            assertThat(names)
                    .noneMatch(n -> n.endsWith("module-info.class") || n.endsWith(".SF") || n.endsWith(".RSA"));
        }
    }

    @Test
    void namesEveryLibraryInItWithItsLicence() throws Exception {
        String notice = Files.readString(ROOT.resolve("gateway-server/src/main/resources/META-INF/NOTICE"));
        List<String> packages = notice.lines()
                .filter(line -> line.startsWith("    "))
                .map(line -> line.strip().replace('.', '/') + "/")
                .toList();
        try (JarFile jar = new JarFile(JAR.toFile())) {
            List<String> classes = jar.stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.endsWith(".class") && !name.startsWith("dev/lychgate/"))
                    .toList();
            assertThat(classes).allMatch(name -> packages.stream().anyMatch(name::startsWith));
            assertThat(packages).allMatch(one -> classes.stream().anyMatch(name -> name.startsWith(one)));
            try (InputStream shipped = jar.getInputStream(jar.getEntry("META-INF/NOTICE"))) {
                assertThat(new String(shipped.readAllBytes(), StandardCharsets.UTF_8))
                        .contains(notice.strip());
            }
            List<String> texts = Pattern.compile("META-INF/[A-Za-z0-9/.-]*[A-Za-z0-9]")
                    .matcher(notice)
                    .results()
                    .map(MatchResult::group)
                    .toList();
            assertThat(texts).hasSizeGreaterThan(10).allMatch(text -> jar.getEntry(text) != null);
        }
        assertThat(notice.lines().filter(line -> line.startsWith("  ") && !line.startsWith("    ")))
                .hasSizeGreaterThan(15)
                .allMatch(line -> line.contains("Apache License 2.0")
                        || line.contains("META-INF/licenses/")
                        || line.contains("asks for no text"));
    }

    @Test
    void acceptsTheSuppliedConfiguration() throws Exception {
        for (String file : new String[] {"config/gateway.yml", "config/examples/edge.yml"}) {
            Ended ended = java(List.of("check", "--config", ROOT.resolve(file).toString()));
            assertThat(ended.code()).as(ended.toString()).isZero();
            assertThat(ended.toString()).contains("ok\n");
        }
    }

    @Test
    void containsTheLibrariesOfEachCodingForFourSystems() throws Exception {
        Path config = Files.writeString(dir.resolve("codings.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { global: [{ compress: { codings: [zstd, br, gzip, deflate] } }] }
                routes: [{ id: hello, respond: { body: hello } }]
                """);
        // A configured coding with a library that can't be loaded is refused.
        assertThat(java(List.of("check", "--config", config.toString()))).isEqualTo(new Ended(0, "ok\n", ""));
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertThat(jar.stream().map(e -> e.getName()).filter(n -> n.matches(".*(brotli|zstd).*\\.(so|dylib|dll)")))
                    .hasSize(8);
        }
    }

    /** {@code SampleFiltersTest} runs the tests of all supplied filters. */
    @Test
    void testsSuppliedFilters() throws Exception {
        Ended ended = java(List.of(
                "test",
                "--filter",
                "ApiKeyFile",
                "--filter",
                "TokenIntrospection",
                ROOT.resolve("config/filters").toString()));
        assertThat(ended.out()).endsWith(", 0 failed\n");
        // One of them reads a malformed file.
        assertThat(ended.err().lines().filter(line -> !line.contains("the last keys stay in use")))
                .isEmpty();
        assertThat(ended.code()).isZero();
    }

    @Test
    void reportsAFaultInOneLine() throws Exception {
        Path bad = Files.writeString(dir.resolve("bad.yml"), "listener: []\n");
        Ended ended = java(List.of("run", "--config", bad.toString()));

        assertThat(ended.code()).isEqualTo(78);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err().lines()).hasSize(2).allMatch(line -> line.startsWith(bad + ":1:1: "));
    }

    @Test
    void servesTheOriginUntilASignal() throws Exception {
        Process process = new ProcessBuilder(JAVA, "-jar", JAR.toString(), "origin", "--port", "0")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = process.inputReader()) {
            String line = String.valueOf(out.readLine());
            assertThat(line).startsWith("origin on http://127.0.0.1:");
            URI uri = URI.create(line.substring("origin on ".length()) + "/?length=1000000");
            HttpResponse<byte[]> response = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofByteArray());
            assertThat(response.body()).hasSize(1_000_000);

            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void isLaunchedFromAnywhereAndThroughLinks() throws Exception {
        Path link = Files.createSymbolicLink(dir.resolve("first"), ROOT.resolve("bin/lychgate"));
        Path second = Files.createSymbolicLink(dir.resolve("second"), link.getFileName());

        Ended ended = run(List.of(second.toString(), "check"));
        assertThat(ended.out()).as(ended.err()).isEqualTo("ok\n");
        assertThat(ended.code()).isZero();
        assertThat(run(List.of(second.toString(), "check", "--config", "a  b.yml"))
                        .err())
                .startsWith("a  b.yml: no such file");
    }

    @Test
    void isLaunchedWithAnyPathVariable() throws Exception {
        Ended ended = run(List.of("sh", "bin/lychgate", "check"), ROOT, Map.of("CDPATH", ROOT.toString()));

        assertThat(ended).isEqualTo(new Ended(0, "ok\n", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-Xmx40m", "-Dx=y -XX:MaxHeapSize=40m", "-Xms80m -Xmx80m", "-Xms80m", "-XX:MaxRAMPercentage=5"})
    void prefersTheHeapOfTheOptions(String options) throws Exception {
        Ended ended = run(
                List.of(ROOT.resolve("bin/lychgate").toString(), "check"),
                dir,
                Map.of("LYCHGATE_OPTS", "-XX:+PrintFlagsFinal " + options));

        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(ended.out()).contains("ok\n");
        if (options.contains("40m")) {
            assertThat(ended.out()).containsPattern(" MaxHeapSize += 41943040 ");
        }
    }

    private static Ended java(List<String> args) throws IOException, InterruptedException {
        return run(Stream.concat(Stream.of(JAVA, "-jar", JAR.toString()), args.stream())
                .toList());
    }

    private static Ended run(List<String> command) throws IOException, InterruptedException {
        return run(command, dir, Map.of());
    }

    private static Ended run(List<String> command, Path directory, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile(dir, "out", ".txt");
        Path err = Files.createTempFile(dir, "err", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("LYCHGATE_HEAP", "64m");
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            // The limit of a command that hangs; the tests of all samples take most of a minute on a busy machine.
            assertThat(process.waitFor(300, TimeUnit.SECONDS))
                    .as(command + " ends")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}
