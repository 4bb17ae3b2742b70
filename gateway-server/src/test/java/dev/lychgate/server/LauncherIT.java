package dev.lychgate.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.UnusedPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launcher's cache of classes and its profiles for small machines, with a separate installation. */
class LauncherIT {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int RELEASE = Runtime.version().feature();
    private static final String CACHE = "lychgate-" + RELEASE + (RELEASE >= 25 ? ".aot" : ".jsa");
    private static final byte[] MEGABYTE = new byte[1 << 20];

    @TempDir
    private static Path home = Path.of("");

    private static Path target = Path.of("");

    @BeforeAll
    static void install() throws IOException {
        target = Files.createDirectories(home.resolve("gateway-server/target"));
        Files.createDirectories(home.resolve("bin"));
        Files.copy(ROOT.resolve("bin/lychgate"), home.resolve("bin/lychgate"));
        Files.copy(ROOT.resolve("gateway-server/target/lychgate.jar"), target.resolve("lychgate.jar"));
        Files.createDirectories(home.resolve("config"));
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @BeforeEach
    void withoutACache() throws IOException {
        Files.deleteIfExists(target.resolve(CACHE));
    }

    private record Ended(int code, String out) {}

    private static Process start(List<String> command, Map<String, String> environment, Path out) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("LYCHGATE_"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static Ended run(List<String> command, Map<String, String> environment) throws Exception {
        Path out = Files.createTempFile(home, "out", ".txt");
        Process process = start(command, environment, out);
        try {
            assertThat(process.waitFor(300, TimeUnit.SECONDS))
                    .as("%s ends", command)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(out));
    }

    private static List<String> names() throws IOException {
        try (Stream<Path> found = Files.list(target)) {
            return found.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    /** Returns the words of the documented command for the cache. */
    private static List<String> documented() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/small-machines.md"));
        return shell(page).filter(line -> line.endsWith(" cache")).findFirst().stream()
                .flatMap(line -> Stream.of(line.split(" ")))
                .toList();
    }

    private static Stream<String> shell(String page) {
        return Pattern.compile("(?ms)^```sh\\n(.*?)^```")
                .matcher(page)
                .results()
                .flatMap((MatchResult block) -> block.group(1).lines());
    }

    @Test
    void aCacheIsCreatedUsedAndIgnoredIfItDoesNotMatch() throws Exception {
        Ended made = run(documented(), Map.of());
        assertThat(made.code()).as(made.out()).isZero();
        assertThat(made.out()).matches("made \\S+" + Pattern.quote(CACHE) + ", \\d+ MB\n");
        assertThat(names()).as("nothing else is left").containsExactlyInAnyOrder("lychgate.jar", CACHE);

        assertThat(origin()).as("from the cache").contains("shared objects file");
        assertThat(proxied(Map.of())).as("nothing but the log").allMatch(LauncherIT::isExpected);

        Files.delete(target.resolve(CACHE));
        Files.write(target.resolve(CACHE), new byte[] {1, 2, 3});
        assertThat(proxied(Map.of())).as("not a cache").allMatch(LauncherIT::isExpected);

        Files.setLastModifiedTime(target.resolve(CACHE), FileTime.from(Instant.EPOCH));
        assertThat(origin()).as("older than the jar").contains("lychgate.jar");
    }

    /** The machine may allow the process fewer files than the default number of connections needs, and pause a loop. */
    private static boolean isExpected(String line) {
        return line.contains(" INFO ")
                || line.contains(" connections instead of 20000: ")
                || line.contains(" event loop ");
    }

    /** Returns the source of a class of the gateway in the JVM. */
    private static String origin() throws Exception {
        Ended ended = run(
                List.of("bin/lychgate", "check", "--config", "missing.yml"),
                Map.of("LYCHGATE_OPTS", "-Xlog:class+load"));
        assertThat(ended.out()).contains("missing.yml: no such file");
        return ended.out()
                .lines()
                .filter(line -> line.contains("dev.lychgate.server.cli.ConfigOption "))
                .findFirst()
                .orElse("");
    }

    @Test
    void aCacheThatCannotBeWrittenIsReportedAndRemoved() throws Exception {
        List<String> command = new ArrayList<>(List.of("bin/lychgate", "cache"));
        if (System.getProperty("user.name").equals("root")) {
            // Root may write anywhere.
            command.addAll(0, List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
        }
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("r-xr-xr-x"));
        Ended ended;
        try {
            ended = run(command, Map.of());
        } finally {
            Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
        }

        assertThat(ended)
                .isEqualTo(new Ended(1, "lychgate: cache: nothing can be written to " + target.toRealPath() + "\n"));
        assertThat(names()).containsExactly("lychgate.jar");
    }

    @Test
    void aFailedRunKeepsThePreviousCache() throws Exception {
        Files.writeString(target.resolve(CACHE), "before");

        Ended ended = run(List.of("bin/lychgate", "cache"), Map.of("LYCHGATE_OPTS", "-XX:NoSuchOption=1"));

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.out()).contains("NoSuchOption").contains("there is no new cache");
        assertThat(target.resolve(CACHE)).hasContent("before");
        assertThat(names()).containsExactlyInAnyOrder("lychgate.jar", CACHE);
    }

    @Test
    void helpDescribesTheCache() throws Exception {
        assertThat(run(List.of("bin/lychgate", "--help"), Map.of()).out())
                .contains("cache")
                .contains("classes");
        assertThat(run(List.of("bin/lychgate", "cache", "--help"), Map.of()))
                .extracting(Ended::code)
                .isEqualTo(0);
        assertThat(names()).containsExactly("lychgate.jar");
    }

    @Test
    void anUnknownProfileIsRefused() throws Exception {
        assertThat(run(List.of("bin/lychgate", "check"), Map.of("LYCHGATE_PROFILE", "huge")))
                .isEqualTo(new Ended(78, "lychgate: LYCHGATE_PROFILE: there is no huge; there are tiny and small\n"));
    }

    @Test
    void aProfileMatchesItsTableAndVariablesOverrideIt() throws Exception {
        String page = Files.readString(ROOT.resolve("docs/small-machines.md"));
        Pattern row = Pattern.compile(
                "(?m)^\\| `(\\w+)` \\|[^|]*\\| (\\d+) MB \\| (\\d+) MB \\| (\\d+) MB \\| (\\d+) MB \\|$");
        List<MatchResult> rows = row.matcher(page).results().toList();
        assertThat(rows).extracting(found -> found.group(1)).containsExactly("tiny", "small");
        for (MatchResult found : rows) {
            String flags = flags(Map.of("LYCHGATE_PROFILE", found.group(1)));
            assertThat(megabytes(flags, "MaxHeapSize")).isEqualTo(Long.parseLong(found.group(2)));
            assertThat(megabytes(flags, "MaxDirectMemorySize")).isEqualTo(Long.parseLong(found.group(3)));
            assertThat(megabytes(flags, "MaxMetaspaceSize")).isEqualTo(Long.parseLong(found.group(4)));
            assertThat(megabytes(flags, "ReservedCodeCacheSize")).isEqualTo(Long.parseLong(found.group(5)));
        }
        assertThat(megabytes(flags(Map.of("LYCHGATE_PROFILE", "tiny", "LYCHGATE_HEAP", "96m")), "MaxHeapSize"))
                .isEqualTo(96);
    }

    @Test
    void theMemoryOfNettyFollowsTheJvmUnlessItIsSet() throws Exception {
        String told = "io.netty.maxDirectMemory = ";
        assertThat(properties("", Map.of("LYCHGATE_PROFILE", "tiny"))).contains(told + (60 << 20) + "\n");
        assertThat(properties("-XX:MaxDirectMemorySize=99m", Map.of())).doesNotContain(told);
        Path options = Files.writeString(target.resolve("options"), "-XX:MaxDirectMemorySize=99m");
        assertThat(properties("@" + options, Map.of())).doesNotContain(told);
        assertThat(properties("", Map.of("JAVA_TOOL_OPTIONS", "-Dio.netty.maxDirectMemory=77777777")))
                .contains(told + "77777777\n");
    }

    @Test
    void oneBufferIn1024IsTrackedForLeaksByDefault() throws Exception {
        assertThat(properties("", Map.of()))
                .contains(
                        "io.netty.leakDetection.level = simple\n", "io.netty.leakDetection.samplingInterval = 1024\n");
        assertThat(properties("-Dio.netty.leakDetection.samplingInterval=8", Map.of()))
                .contains("io.netty.leakDetection.samplingInterval = 8\n");
    }

    private static String properties(String options, Map<String, String> environment) throws Exception {
        Map<String, String> all = new HashMap<>(environment);
        all.put("LYCHGATE_OPTS", options + " -XshowSettings:properties");
        return run(List.of("bin/lychgate", "--version"), all).out();
    }

    private static String flags(Map<String, String> environment) throws Exception {
        Map<String, String> all = new HashMap<>(environment);
        all.put("LYCHGATE_OPTS", "-XX:+PrintFlagsFinal");
        return run(List.of("bin/lychgate", "--version"), all).out();
    }

    private static long megabytes(String flags, String name) {
        return Pattern.compile(" " + name + " += (\\d+)")
                .matcher(flags)
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)) >> 20)
                .findFirst()
                .orElseThrow();
    }

    /** Leaves memory for other processes: 512 MB and 3.75 GB. */
    @ParameterizedTest
    @CsvSource({"tiny, 400", "small, 1200"})
    void aProfileStaysWithinTheMemoryOfItsMachine(String profile, long megabytes) throws Exception {
        String line = "LYCHGATE_PROFILE=" + profile + " bin/lychgate run --config config/gateway.yml";
        assertThat(shell(Files.readString(ROOT.resolve("docs/small-machines.md"))))
                .contains(line);
        try (Serving serving = new Serving(Map.of("LYCHGATE_PROFILE", profile))) {
            serving.plenty();
            assertThat(serving.mostMegabytes()).isLessThan(megabytes);
        }
    }

    /** Returns the log of a gateway that proxies a request. */
    private static List<String> proxied(Map<String, String> environment) throws Exception {
        try (Serving serving = new Serving(environment)) {
            serving.get(serving.main + "/?length=10");
            return serving.lines();
        }
    }

    /** A gateway that the launcher started by the documented command, with an origin. */
    private static final class Serving implements AutoCloseable {
        private static final HttpClient CLIENT = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(30))
                .build();

        private final Path out = Files.createTempFile(home, "gateway", ".txt");
        private final Process origin;
        private final Process gateway;
        private final int port = UnusedPort.number();
        final String main = "http://127.0.0.1:" + port;

        Serving(Map<String, String> environment) throws Exception {
            int behind = UnusedPort.number();
            Files.writeString(home.resolve("config/gateway.yml"), String.format(Locale.ROOT, """
                    listeners: [{ name: main, address: "127.0.0.1:%d" }]
                    routes: [{ id: all, match: { path: "/**" }, upstream: origin }]
                    upstreams: { origin: { endpoints: ["http://127.0.0.1:%d"] } }
                    admin: { address: "127.0.0.1:0" }
                    access-log: { format: off }
                    """, port, behind));
            origin = start(
                    List.of("bin/lychgate", "origin", "--port", String.valueOf(behind)),
                    Map.of(),
                    Files.createTempFile(home, "origin", ".txt"));
            gateway = start(List.of("bin/lychgate", "run", "--config", "config/gateway.yml"), environment, out);
            await(behind, origin);
            await(port, gateway);
            // Before that, a signal ends it at once.
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
            while (!Files.readString(out).contains("ready after")) {
                assertThat(System.nanoTime()).as("ready within two minutes").isLessThan(end);
                Thread.sleep(20);
            }
        }

        private static void await(int port, Process process) throws Exception {
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
            while (true) {
                try (Socket socket = new Socket()) {
                    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
                    return;
                } catch (IOException e) {
                    assertThat(process.isAlive()).isTrue();
                    assertThat(System.nanoTime())
                            .as("listens within two minutes")
                            .isLessThan(end);
                    Thread.sleep(20);
                }
            }
        }

        void get(String uri) throws Exception {
            HttpRequest request = HttpRequest.newBuilder(URI.create(uri))
                    .timeout(Duration.ofSeconds(60))
                    .build();
            assertThat(CLIENT.send(request, BodyHandlers.discarding()).statusCode())
                    .isEqualTo(200);
        }

        /** Some thousand requests, large bodies both ways at once, and connections that stay. */
        void plenty() throws Exception {
            List<Socket> idle = new ArrayList<>();
            try {
                for (int i = 0; i < 500; i++) {
                    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                    idle.add(socket);
                    socket.getOutputStream().write("GET /?length=9 HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(UTF_8));
                    assertThat(socket.getInputStream().read()).isEqualTo('H');
                }
                for (int i = 0; i < 3000; i++) {
                    get(main + "/?length=1024");
                }
                var large = new ArrayList<CompletableFuture<Integer>>();
                for (int i = 0; i < 32; i++) {
                    HttpRequest.Builder request =
                            HttpRequest.newBuilder(URI.create(main + (i % 2 == 0 ? "/upload" : "/?length=16777216")));
                    if (i % 2 == 0) {
                        request.POST(BodyPublishers.ofByteArrays(Collections.nCopies(16, MEGABYTE)));
                    }
                    large.add(CLIENT.sendAsync(request.build(), BodyHandlers.discarding())
                            .thenApply(response -> response.statusCode()));
                }
                for (var each : large) {
                    assertThat(each.get(180, TimeUnit.SECONDS)).isEqualTo(200);
                }
            } finally {
                for (Socket socket : idle) {
                    socket.close();
                }
            }
        }

        /** Returns the peak of resident memory. */
        long mostMegabytes() throws IOException {
            try (Stream<String> lines = Files.lines(Path.of("/proc/" + gateway.pid() + "/status"))) {
                return lines.filter(line -> line.startsWith("VmHWM:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                        .findFirst()
                        .orElseThrow();
            }
        }

        List<String> lines() throws IOException {
            return Files.readAllLines(out);
        }

        @Override
        public void close() {
            gateway.destroy();
            origin.destroy();
            try {
                assertThat(gateway.onExit()).succeedsWithin(Duration.ofSeconds(60));
                assertThat(gateway.exitValue()).isZero();
            } finally {
                gateway.destroyForcibly();
                origin.destroyForcibly();
            }
        }
    }
}
