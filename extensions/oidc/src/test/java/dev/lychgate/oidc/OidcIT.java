package dev.lychgate.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.http.QueryParameters;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Launcher;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.UnusedPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packed extension in a gateway that {@code bin/lychgate} has started; runs after packaging. */
class OidcIT {
    private static final Path GATEWAY = Launcher.ROOT.resolve("gateway-server/target/lychgate.jar");
    private static final Path EXTENSION = Launcher.ROOT.resolve("extensions/oidc/target/oidc.jar");
    private static final Duration LONGEST = Duration.ofMinutes(2);

    @TempDir
    Path home = Path.of("");

    @TempDir
    Path profile = Path.of("");

    private Launcher launcher() {
        return new Launcher(home, "96m");
    }

    private static List<String> blocks(String fence) throws Exception {
        return Pattern.compile("```" + fence + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Launcher.ROOT.resolve("docs/oidc.md")))
                .results()
                .map(MatchResult::group)
                .map(block -> block.substring(fence.length() + 4, block.length() - 3))
                .toList();
    }

    @Test
    void theDocumentedCommandsAndConfigurationsAreAccepted() throws Exception {
        assertThat(blocks("sh")).hasSize(1);
        Path secret = Files.writeString(home.resolve("typed"), "the-secret-of-the-client\n");
        ProcessBuilder shell = new ProcessBuilder("bash", "-euc", blocks("sh").get(0))
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectInput(secret.toFile());
        assertThat(launcher().run(shell)).isEqualTo(new Launcher.Ended(0, ""));
        assertThat(Files.readString(home.resolve("secrets/client-secret"))).isEqualTo("the-secret-of-the-client\n");
        assertThat(blocks("yaml oidc")).hasSize(2);
        for (String yaml : blocks("yaml oidc")) {
            Files.writeString(home.resolve("gateway.yml"), yaml);
            assertThat(launcher().run("check", "--config", "gateway.yml")).isEqualTo(new Launcher.Ended(0, "ok\n"));
        }
        Files.copy(
                Launcher.ROOT.resolve("config/examples/oidc.yml"),
                home.resolve("gateway.yml"),
                StandardCopyOption.REPLACE_EXISTING);
        assertThat(launcher().run("check", "--config", "gateway.yml")).isEqualTo(new Launcher.Ended(0, "ok\n"));
        String first = blocks("yaml oidc").get(0);
        Files.writeString(home.resolve("gateway.yml"), first.replace("https://app.example.com/oidc", "http://app"));
        assertThat(launcher()
                        .run(launcher().command("check", "--config", "gateway.yml"))
                        .output())
                .contains("redirect-uri: http://app/callback (expected: an https URL with a path");
        Files.writeString(home.resolve("secrets/session-key"), "short\n");
        Files.writeString(home.resolve("gateway.yml"), first);
        assertThat(launcher()
                        .run(launcher().command("check", "--config", "gateway.yml"))
                        .output())
                .contains("extensions.oidc.session-keys")
                .contains("32 to 4096 random characters")
                .doesNotContain("short");
        assertThat(launcher().run("extensions").output())
                .containsPattern("oidc \\d+\\.\\d+\\.\\d+")
                .contains(EXTENSION.toString());
    }

    @Test
    void itsLibraryIsInItsOwnJarAlone() throws Exception {
        try (JarFile extension = new JarFile(EXTENSION.toFile());
                JarFile gateway = new JarFile(GATEWAY.toFile())) {
            assertThat(extension.stream().map(entry -> entry.getName()).filter(entry -> entry.endsWith(".class")))
                    .as("as META-INF/NOTICE has it")
                    .allMatch(entry -> entry.startsWith("com/nimbusds/") || entry.startsWith("dev/lychgate/oidc/"));
            assertThat(extension.getEntry("META-INF/NOTICE")).isNotNull();
            assertThat(extension.getEntry("META-INF/LICENSE")).isNotNull();
            assertThat(gateway.stream().map(entry -> entry.getName()))
                    .noneMatch(entry -> entry.startsWith("com/nimbusds/"));
        }
    }

    /**
     * The provider is an http site and the application an https site, so that the browser sends the cookies under the rules for
     * cross-site requests.
     */
    @Test
    void aUserLogsInAndOutInABrowser() throws Exception {
        Optional<String> browser = Chromium.command();
        assumeTrue(browser.isPresent(), "there is no chromium on the PATH to log in with");
        Certificates authority = Certificates.authority("test");
        Certificates.pem(home, "app", authority.issue("127.0.0.1"));
        Files.writeString(home.resolve("session-key"), TestGateway.KEY);
        Files.writeString(home.resolve("client-secret"), TestProvider.SECRET);
        int port = UnusedPort.number();
        String app = "https://127.0.0.1:" + port;
        try (TestProvider provider = TestProvider.start(Clock.systemUTC());
                ScriptedOrigin origin = ScriptedOrigin.answering((request, connection) -> connection.send(Responses.of(
                        200,
                        "<title>App</title><h1>Welcome "
                                + request.value("x-user").orElse("stranger")
                                + "</h1><a href=/oidc/logout>Log out</a><i>" + request.values("cookie") + "</i>",
                        "Content-Type: text/html")))) {
            provider.asks = true;
            Path config = Files.writeString(
                    home.resolve("gateway.yml"), """
                    listeners:
                      - { name: main, address: "127.0.0.1:%d", tls: { certificates: [{ chain: app.pem, key: app.key }] } }
                    extensions: { oidc: { session-keys: "${file:session-key}", timeout: 30s } }
                    authenticate:
                      oidc:
                        issuer: "%s"
                        client-id: web
                        client-secret: "${file:client-secret}"
                        redirect-uri: "%s/oidc/callback"
                        logout-path: /oidc/logout
                        back-channel-logout-path: /oidc/back
                      claims-to-headers: { sub: x-user }
                    routes: [{ id: app, upstream: app }]
                    upstreams: { app: { endpoints: ["http://127.0.0.1:%d"] } }
                    """.formatted(port, provider.issuer(), app, origin.port()));
            Path log = home.resolve("log");
            Process gateway = launcher()
                    .command("run", "--config", config.toString())
                    .redirectOutput(log.toFile())
                    .start();
            try (Chromium chromium = Chromium.start(browser.orElseThrow(), profile)) {
                Launcher.awaitReady(log);
                HttpClient client = HttpClient.newBuilder()
                        .sslContext(authority.context(null))
                        .build();
                HttpRequest page = HttpRequest.newBuilder(URI.create(app + "/"))
                        .header("accept", "text/html")
                        .build();
                // On a busy machine, the first request to the provider may take longer than its time limit.
                Eventually.eventually(
                        LONGEST,
                        () -> assertThat(client.send(page, HttpResponse.BodyHandlers.discarding())
                                        .statusCode())
                                .isEqualTo(302));
                chromium.open(app + "/orders?id=1")
                        .awaitPage(provider.issuer() + "/authorize", "Who are you?")
                        .press("button")
                        .awaitPage(app + "/orders?id=1", "Welcome alice");
                assertThat(chromium.evaluate("document.querySelector('i').innerText"))
                        .as("cookies that the origin gets")
                        .isEqualTo("[]");
                assertThat(chromium.evaluate("document.cookie")).as("HttpOnly").isEmpty();
                assertThat(chromium.evaluate("fetch('/api').then(r => r.status)"))
                        .isEqualTo("200");
                assertThat(chromium.evaluate("fetch('/api', { credentials: 'omit' }).then(r => r.status)"))
                        .isEqualTo("401");

                chromium.press("a").awaitPage(provider.issuer() + "/logout", "Goodbye from the provider");
                assertThat(provider.logouts.get(0)).containsKey("id_token_hint");
                chromium.open(app + "/").awaitPage(provider.issuer() + "/authorize", "Who are you?");

                chromium.press("button").awaitPage(app + "/", "Welcome alice");
                HttpResponse<String> ended = client.send(
                        HttpRequest.newBuilder(URI.create(app + "/oidc/back"))
                                .header("content-type", "application/x-www-form-urlencoded")
                                .POST(HttpRequest.BodyPublishers.ofString("logout_token="
                                        + QueryParameters.encoded(
                                                provider.logoutToken(claims -> claims.claim("sid", "session-1")))))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                assertThat(ended.statusCode()).as(ended.body()).isEqualTo(200);
                assertThat(chromium.evaluate("fetch('/api').then(r => r.status)"))
                        .isEqualTo("401");
            } finally {
                Launcher.end(gateway);
            }
            assertThat(Files.readString(log))
                    .doesNotContain(TestProvider.SECRET, TestGateway.KEY, "refresh-", "code-1");
        }
    }

    @Test
    void anOptionalSectionAcceptsVisitorsWithoutASession() throws Exception {
        Files.writeString(home.resolve("session-key"), TestGateway.KEY);
        int port = UnusedPort.number();
        try (TestProvider provider = TestProvider.start(Clock.systemUTC());
                ScriptedOrigin origin = ScriptedOrigin.answering((request, connection) -> connection.send(
                        Responses.ok("hello " + request.value("x-user").orElse("stranger"))))) {
            Path config = Files.writeString(
                    home.resolve("gateway.yml"), """
                    listeners: [{ name: main, address: "127.0.0.1:%d" }]
                    extensions: { oidc: { session-keys: "${file:session-key}", timeout: 30s } }
                    authenticate:
                      optional: true
                      any-of:
                        - oidc:
                            issuer: "%s"
                            client-id: web
                            redirect-uri: "http://127.0.0.1:%d/oidc/callback"
                            redirect: false
                            login-path: /oidc/login
                      claims-to-headers: { sub: x-user }
                    routes: [{ id: app, upstream: app }]
                    upstreams: { app: { endpoints: ["http://127.0.0.1:%d"] } }
                    """.formatted(port, provider.issuer(), port, origin.port()));
            Path log = home.resolve("log");
            Process gateway = launcher()
                    .command("run", "--config", config.toString())
                    .redirectOutput(log.toFile())
                    .start();
            try {
                Launcher.awaitReady(log);
                TestBrowser visitor = new TestBrowser(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                visitor.host = "127.0.0.1:" + port;
                assertThat(visitor.open("/").body()).isEqualTo("hello stranger");
                assertThat(visitor.send("GET", "/", Map.of("X-User", "root"), "")
                                .body())
                        .isEqualTo("hello stranger");
                assertThat(visitor.login("/oidc/login").status()).isEqualTo(303);
                assertThat(visitor.cookieNames()).allMatch(name -> name.startsWith("oidc-"));
                assertThat(visitor.open("/").body()).isEqualTo("hello alice");
                assertThat(Files.readString(log)).doesNotContain("ERROR");
            } finally {
                Launcher.end(gateway);
            }
        }
    }
}
