package dev.lychgate;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.cli.LychgateCommand;
import dev.lychgate.server.cli.Signals;
import dev.lychgate.server.cli.Surroundings;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.engine.GatewayEngine;
import dev.lychgate.server.engine.RunningGateway;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.explain.Explanation;
import dev.lychgate.server.explain.Inquiry;
import dev.lychgate.server.yaml.Environment;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of README.md and of the pages under docs/. Their YAML has its own test. */
@Tag("slow")
class DocumentationTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```([^\\n`]*)\\n(.*?)^```$");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|([^\\s'\"]+)");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)[^)]*\\)");
    private static final Pattern MENTION = Pattern.compile("`(bin/lychgate [^`]+)`");
    private static final Pattern FILE =
            Pattern.compile("`((?:bin|config|docs|gateway-[a-z]+|perf-tests)/[^`\\s]+)[^`]*`");
    private static final Set<String> FOLLOWED = Set.of("tutorial", "guides");
    private static final Set<String> OUTPUT = Set.of("", "json");

    @Test
    void theReadmeCanBeReadInOneSitting() throws Exception {
        assertThat(Files.readAllLines(ROOT.resolve("README.md"))).hasSizeLessThanOrEqualTo(130);
    }

    @Test
    void theDemoRespondsToEachCurlLineAsDocumented() throws Exception {
        List<String> tried = new ArrayList<>();
        List<String> lines = shellLines(section("Try it"));
        assertThat(lines.remove(0)).isEqualTo("bin/lychgate demo");

        try (Command demo = new Command("demo", "--traffic", "off", "--port", "0", "--admin-port", "0")) {
            int port = demo.port();
            for (String line : lines) {
                tried.add(Curl.parse(line).tryOn(port));
            }
        }

        assertThat(tried).containsExactly("/", "/events", "/upload");
    }

    @Test
    void theCommandLinesForOtherOriginsSucceedWithTheirFile(@TempDir Path directory) throws Exception {
        String section = section("Serve your own origins");
        String yaml = only("yaml", section);
        List<String> commands = new ArrayList<>();

        for (String line : shellLines(section)) {
            List<String> args = lychgate(line);
            commands.add(args.get(0));
            // A test must not use fixed ports, nor addresses that other machines can reach.
            boolean runs = args.get(0).equals("run");
            Path file = Files.writeString(
                    directory.resolve("gateway.yml"),
                    runs ? yaml.replaceAll("\"[0-9.]+:\\d+\"", "\"127.0.0.1:0\"") : yaml);
            args.replaceAll(arg -> arg.equals("config/gateway.yml") ? file.toString() : arg);
            assertThat(args).as(line).contains(file.toString());
            try (Command command = new Command(args.toArray(String[]::new))) {
                if (runs) {
                    assertThat(command.port()).isPositive();
                } else {
                    String said = command.result();
                    assertThat(said).contains(args.get(0).equals("check") ? "ok" : "api");
                }
            }
        }

        assertThat(commands).containsExactly("check", "routes", "run");
    }

    @Test
    void theJavaOfTheReadmeCompilesAndStartsAGateway(@TempDir Path directory) throws Exception {
        Path source =
                Files.writeString(directory.resolve("Snippet.java"), """
                    import dev.lychgate.Lychgate;
                    import dev.lychgate.config.*;

                    public final class Snippet {
                        public static void main(String[] args) throws Exception {
                    """ + only("java", section("Embed it")) + "}}\n");
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", ""));
        ByteArrayOutputStream complaints = new ByteArrayOutputStream();
        String[] options = {"-proc:none", "-cp", classPath, "-d", directory.toString(), source.toString()};
        int failed = ToolProvider.getSystemJavaCompiler().run(null, complaints, complaints, options);
        assertThat(failed).as(complaints.toString(StandardCharsets.UTF_8)).isZero();

        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        URL[] classes = {directory.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(classes, DocumentationTest.class.getClassLoader())) {
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            loader.loadClass("Snippet").getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(before);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).containsPattern("(?m)^http://127\\.0\\.0\\.1:[1-9]\\d*$");
    }

    @Test
    void theFilterOfTheReadmeSetsItsHeaderOnTheNextResponse(@TempDir Path directory) throws Exception {
        String section = section("Add a filter");
        List<String> code = matches(Pattern.compile("`([^`]+)`"), section).stream()
                .map(part -> part.group(1))
                .toList();
        String key = code.get(0);
        Path filter = directory.resolve(code.get(1));
        assertThat(key).isEqualTo("filters: { directory: my-filters }");
        assertThat(filter.toString()).endsWith("my-filters/outbound/stamp.groovy");
        Files.createDirectories(filter.getParent());
        String yaml = only("yaml", section("Serve your own origins")).replaceAll("\"[0-9.]+:\\d+\"", "\"127.0.0.1:0\"");
        Path file = Files.writeString(directory.resolve("gateway.yml"), yaml + key + "\naccess-log: { format: off }\n");

        try (Command gateway = new Command("run", "--config", file.toString())) {
            URI uri = URI.create("http://127.0.0.1:" + gateway.port() + "/api/things");
            assertThat(servedBy(uri)).isEmpty();
            Files.writeString(filter, code.get(2));
            long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
            while (servedBy(uri).isEmpty() && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            assertThat(servedBy(uri)).contains("lychgate");
        }
    }

    private static Optional<String> servedBy(URI uri) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(30)).build();
        return Curl.CLIENT.send(request, BodyHandlers.discarding()).headers().firstValue("x-served-by");
    }

    @Test
    void aTestRunsEveryKindOfSnippet() throws Exception {
        List<String> elsewhere = new ArrayList<>();
        for (Path page : pages()) {
            boolean readme = page.equals(ROOT.resolve("README.md"));
            for (MatchResult block : matches(BLOCK, Files.readString(page))) {
                String language = block.group(1);
                // Those in Groovy are run by DocumentedGroovyTest, the commands about the admin listener by
                // DocumentedAdminTest and DocumentedDebuggingTest.
                boolean run = language.equals("yaml")
                        // Files and commands of tutorials and guides: by FollowedPagesTest.
                        || FOLLOWED.contains(
                                String.valueOf(requireNonNull(page.getParent()).getFileName()))
                        // Several files of one configuration: by SeveralFilesTest.
                        || (language.matches("yaml \\S+") && page.endsWith("configuration.md"))
                        // By DocumentedDiscoveryTest.
                        || (language.matches("(yaml|json) \\S+") && page.endsWith("discovery.md"))
                        // By IdentityIT and DocumentedIdentityTest.
                        || (Set.of("groovy", "yaml identity").contains(language) && page.endsWith("identity.md"))
                        // By ExtensionGatewayTest and IdentityIT.
                        || (Set.of("java", "yaml extension").contains(language) && page.endsWith("extensions.md"))
                        || (language.equals("groovy") && page.endsWith("filters.md"))
                        // By DocumentedLibrariesTest.
                        || (Set.of("groovy", "java").contains(language) && page.endsWith("filter-libraries.md"))
                        // By BodiesOfScriptsTest.
                        || (language.equals("groovy") && page.endsWith("filter-bodies.md"))
                        // By DocumentedFilterStateTest.
                        || (language.equals("groovy") && page.endsWith("filter-state.md"))
                        // By FilterPropertiesTest.
                        || (language.equals("groovy") && page.endsWith("filter-properties.md"))
                        // By FilterBudgetsTest.
                        || (language.equals("groovy") && page.endsWith("filter-budgets.md"))
                        // By DocumentedGateTest.
                        || (Set.of("groovy", "sh").contains(language) && page.endsWith("gate.md"))
                        // By DocumentedCallOutsTest.
                        || (language.equals("groovy") && page.endsWith("call-outs.md"))
                        // Compared with the lines of the log by DocumentedSplunkTest.
                        || (Set.of("ini", "spl").contains(language) && page.endsWith("splunk.md"))
                        || (language.equals("sh") && (page.endsWith("admin.md") || page.endsWith("debugging.md")))
                        // By DocumentedRecordAndReplayTest.
                        || (language.equals("groovy") && page.endsWith("record-and-replay.md"))
                        // By DocumentedRateLimitsTest.
                        || (language.equals("groovy") && page.endsWith("rate-limits.md"))
                        // By DocumentedOverloadTest.
                        || (language.equals("groovy") && page.endsWith("overload.md"))
                        // By DocumentedClientProtectionTest.
                        || (language.equals("groovy") && page.endsWith("client-protection.md"))
                        // By DocumentedCacheTest.
                        || (language.equals("sh") && page.endsWith("cache.md"))
                        // By DocumentedSecretsTest; the unit is an excerpt.
                        || (language.matches("sh|yaml \\S+|ini \\S+") && page.endsWith("secrets.md"))
                        // By CredentialsIT.
                        || (language.matches("sh|yaml \\S+") && page.endsWith("credentials.md"))
                        // By RedisIT.
                        || (language.equals("yaml fleet") && page.endsWith("rate-limits.md"))
                        || (language.equals("yaml redis") && page.endsWith("redis.md"))
                        // By PostgresqlIT, and by ReferenceTest and PostgresqlAccessTest of the extension.
                        || (language.matches("yaml postgresql|sql") && page.endsWith("postgresql.md"))
                        // By ZuulIT.
                        || (language.matches("(yaml|groovy) zuul(2|-test)?") && page.endsWith("zuul.md"))
                        // By AuthorizationIT and DocumentedAuthorizationTest.
                        || (Set.of("yaml authorization", "groovy").contains(language)
                                && page.endsWith("authorization.md"))
                        // By OidcIT.
                        || (language.matches("sh|yaml oidc") && page.endsWith("oidc.md"))
                        // By DocumentedRolloutsTest.
                        || (language.equals("sh") && page.endsWith("rollouts.md"))
                        // By DocumentedHistoryTest.
                        || (language.equals("sh") && page.endsWith("history.md"))
                        // By FaultsOfOperatorsTest.
                        || (language.equals("sh") && page.endsWith("faults.md"))
                        // By LauncherIT, because it needs the jar.
                        || (language.equals("sh") && page.endsWith("small-machines.md"))
                        || (readme && Set.of("sh", "java").contains(language));
                if (!run && !OUTPUT.contains(language)) {
                    elsewhere.add(ROOT.relativize(page) + ": " + language);
                }
            }
        }
        assertThat(elsewhere).isEmpty();

        // The other tests run all shell lines of the README except this one, which runs the tests.
        List<String> others = shellLines(Files.readString(ROOT.resolve("README.md")));
        others.removeAll(shellLines(section("Try it")));
        others.removeAll(shellLines(section("Serve your own origins")));
        assertThat(others).containsExactly("mvn verify");
        assertThat(matches(Pattern.compile("(?m)^```java$"), Files.readString(ROOT.resolve("README.md"))))
                .hasSize(1);
    }

    @Test
    void everyFileThatThePagesMentionOrLinkToExists() throws Exception {
        List<String> missing = new ArrayList<>();
        int seen = 0;
        for (Path page : pages()) {
            String text = Files.readString(page);
            for (MatchResult link : matches(LINK, BLOCK.matcher(text).replaceAll(""))) {
                String target = link.group(1);
                if (!target.contains("://")) {
                    seen++;
                    require(page.resolveSibling(target), page, missing);
                }
            }
            for (MatchResult mention : matches(FILE, text)) {
                // The file that the reader writes.
                if (!mention.group(1).equals("config/gateway.yml")) {
                    seen++;
                    require(ROOT.resolve(mention.group(1)), page, missing);
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(seen).isGreaterThan(10);
        assertThat(ROOT.resolve("bin/lychgate")).isExecutable();
    }

    /** The navigation lists the decisions by itself. */
    @Test
    void theIndexAndTheNavigationOfTheSiteListEveryPage() throws Exception {
        Path docs = ROOT.resolve("docs");
        String index = Files.readString(docs.resolve("index.md"));
        String navigation = Files.readString(ROOT.resolve(".site/mkdocs.yml"));
        List<String> missing = new ArrayList<>();
        for (Path page : pages()) {
            String name = docs.relativize(page).toString();
            if (!name.startsWith("..") && !name.matches("index\\.md|adr/\\d.*")) {
                if (!index.contains("](" + name + ")")) {
                    missing.add("docs/index.md: " + name);
                }
                if (!navigation.contains(": " + name) && !navigation.contains("[" + name + "]")) {
                    missing.add(".site/mkdocs.yml: " + name);
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void everyCommandInTheTextOfThePagesSucceeds(@TempDir Path directory) throws Exception {
        Path file =
                Files.writeString(directory.resolve("gateway.yml"), only("yaml", section("Serve your own origins")));
        int seen = 0;
        for (Path page : pages()) {
            for (MatchResult mention : matches(MENTION, Files.readString(page))) {
                List<String> args = lychgate(mention.group(1));
                if (args.get(0).equals("cache")) {
                    // By LauncherIT, because it needs the jar.
                    continue;
                }
                args.replaceAll(arg -> arg.equals("FILE") ? file.toString() : arg);
                assertThat(args.get(0)).as(mention.group(1)).isIn("check", "routes");
                try (Command command = new Command(args.toArray(String[]::new))) {
                    assertThat(command.result()).isNotBlank();
                }
                seen++;
            }
        }
        assertThat(seen).isPositive();
    }

    private static void require(Path file, Path page, List<String> missing) {
        if (!Files.exists(file)) {
            missing.add(ROOT.relativize(page) + ": " + ROOT.relativize(file.normalize()));
        }
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            docs.filter(f -> f.toString().endsWith(".md")))
                    .sorted()
                    .toList();
        }
    }

    private static String section(String title) throws IOException {
        String text = Files.readString(ROOT.resolve("README.md"));
        List<MatchResult> found =
                matches(Pattern.compile("(?ms)^## " + Pattern.quote(title) + "$(.*?)(?=^## |\\z)"), text);
        assertThat(found).as("sections called " + title).hasSize(1);
        return found.get(0).group(1);
    }

    private static String only(String language, String text) {
        List<String> found = blocks(language, text);
        assertThat(found).as(language).hasSize(1);
        return found.get(0);
    }

    private static List<String> blocks(String language, String text) {
        return matches(BLOCK, text).stream()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2))
                .toList();
    }

    private static List<String> shellLines(String text) {
        List<String> lines = new ArrayList<>();
        for (String block : blocks("sh", text)) {
            block.lines()
                    .map(line -> line.replaceAll("(^|\\s)#.*", "").strip())
                    .filter(line -> !line.isEmpty())
                    .forEach(lines::add);
        }
        return lines;
    }

    /** Returns the arguments of a line that calls the launcher. */
    private static List<String> lychgate(String line) {
        List<String> words = words(line);
        assertThat(words.remove(0)).as(line).isEqualTo("bin/lychgate");
        return words;
    }

    /** Splits a line like a shell, as far as the pages need it. Other syntax fails. */
    private static List<String> words(String line) {
        assertThat(WORD.matcher(line).replaceAll("")).as(line).isBlank();
        List<String> words = new ArrayList<>();
        for (MatchResult word : matches(WORD, line)) {
            boolean quoted = word.group(1) != null;
            assertThat(quoted || !word.group().matches(".*[?*&|;<>$\\\\`(){}~].*"))
                    .as("a shell takes as it stands: " + line)
                    .isTrue();
            words.add(quoted ? word.group(1) : word.group(2));
        }
        return words;
    }

    private static List<MatchResult> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }

    /**
     * The request of a curl command.
     *
     * @param upload the file after {@code --data-binary @}; empty = none
     */
    private record Curl(URI uri, String upload) {
        private static final HttpClient CLIENT = HttpClient.newHttpClient();

        static Curl parse(String line) {
            List<String> words = words(line);
            assertThat(words.remove(0)).as(line).isEqualTo("curl");
            String upload = "";
            List<String> urls = new ArrayList<>();
            while (!words.isEmpty()) {
                String word = words.remove(0);
                if (word.equals("--data-binary")) {
                    String data = words.remove(0);
                    assertThat(data).as(line).startsWith("@");
                    upload = data.substring(1);
                } else if (word.startsWith("-")) {
                    // Only options that change the output of curl, and not its request.
                    assertThat(word).as("options of: " + line).matches("-[isN]+");
                } else {
                    urls.add(word);
                }
            }
            assertThat(urls).as(line).hasSize(1);
            return new Curl(URI.create(urls.get(0)), upload);
        }

        /**
         * Sends it and compares the response with the README.
         *
         * @return the path
         */
        String tryOn(int port) throws Exception {
            assertThat(uri.getAuthority()).isEqualTo("127.0.0.1:8080");
            String path = uri.getPath();
            switch (path) {
                case "/" -> {
                    // Each loop has its own round robin, so the endpoints alternate on one connection.
                    List<String> greetings = List.of(send(port), send(port));
                    assertThat(greetings).allMatch(greeting -> greeting.contains("hello"));
                    assertThat(greetings).as("in turn").anyMatch(greeting -> greeting.contains("\"demo-1\""));
                    assertThat(greetings).as("in turn").anyMatch(greeting -> greeting.contains("\"demo-2\""));
                }
                case "/events" -> {
                    long begin = System.nanoTime();
                    List<String> lines =
                            send(port).lines().filter(line -> !line.isEmpty()).toList();
                    int count = Integer.parseInt(uri.getQuery().replace("count=", ""));
                    assertThat(lines).hasSize(count).allMatch(line -> line.startsWith("data: "));
                    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
                    assertThat(millis).as("a line every 200 ms").isGreaterThan(200L * (count - 1) - 100);
                }
                case "/upload" -> {
                    byte[] sent = Files.readAllBytes(ROOT.resolve(upload));
                    String sum = HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(sent));
                    assertThat(send(port))
                            .contains(String.format(Locale.ROOT, "\"bytes\":%d,\"sha256\":\"%s\"", sent.length, sum));
                }
                default -> throw new AssertionError("what does the README promise of " + uri + "?");
            }
            return path;
        }

        private String send(int port) throws Exception {
            URI there = URI.create(uri.toString().replace(":8080", ":" + port));
            HttpRequest.Builder request = HttpRequest.newBuilder(there)
                    .version(HttpClient.Version.HTTP_1_1)
                    .timeout(Duration.ofSeconds(30));
            if (!upload.isEmpty()) {
                request.header("content-type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofFile(ROOT.resolve(upload)));
            }
            var response = CLIENT.send(request.build(), BodyHandlers.ofString());
            assertThat(response.statusCode()).as(there.toString()).isEqualTo(200);
            return response.body();
        }
    }

    /** A command in this process, with the real engine; closing it stops its servers and expects exit code 0. */
    private static final class Command implements AutoCloseable, GatewayEngine {
        private final GatewayEngine engine = new DataPlaneEngine();
        private final CompletableFuture<RunningGateway> started = new CompletableFuture<>();
        private final StringWriter out = new StringWriter();
        private final StringWriter err = new StringWriter();
        private final FutureTask<Integer> exit;

        Command(String... args) {
            Surroundings surroundings = new Surroundings(
                    this,
                    name -> null,
                    new PrintWriter(out, true),
                    new PrintWriter(err, true),
                    hook -> {},
                    Signals.NONE);
            exit = new FutureTask<>(() -> {
                int code = LychgateCommand.execute(surroundings, args);
                started.completeExceptionally(new AssertionError("nothing was started: " + err));
                return code;
            });
            new Thread(exit, "command").start();
        }

        int port() throws Exception {
            RunningGateway gateway = started.get(2, TimeUnit.MINUTES);
            return gateway.listeners().get(0).address().getPort();
        }

        /** Returns the output after a successful end. */
        String result() {
            assertThat(exit)
                    .succeedsWithin(Duration.ofMinutes(2))
                    .as(err.toString())
                    .isEqualTo(0);
            return out.toString();
        }

        @Override
        public void close() {
            if (started.isDone() && !started.isCompletedExceptionally()) {
                assertThat(started.join().drain(Duration.ofSeconds(10)))
                        .as("drained, nothing cut")
                        .isTrue();
            }
            assertThat(result()).isNotNull();
        }

        @Override
        public List<ConfigException> faults(GatewayConfig config) {
            return engine.faults(config);
        }

        @Override
        public RunningGateway start(Path file, Environment environment, GatewayConfig config) throws StartException {
            RunningGateway gateway = engine.start(file, environment, config);
            started.complete(gateway);
            return gateway;
        }

        @Override
        public Explanation explain(Path file, Environment environment, GatewayConfig config, Inquiry inquiry) {
            return engine.explain(file, environment, config, inquiry);
        }
    }
}
