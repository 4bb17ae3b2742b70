package dev.lychgate.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Launcher;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packed extension in a gateway that {@code bin/lychgate} has started; runs after packaging. */
class AuthorizationIT {
    private static final Path GATEWAY = Launcher.ROOT.resolve("gateway-server/target/lychgate.jar");
    private static final Path EXTENSION = Launcher.ROOT.resolve("extensions/authorization/target/authorization.jar");
    private static final Path PAGE = Launcher.ROOT.resolve("docs/authorization.md");
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @TempDir
    Path home = Path.of("");

    private Launcher launcher() {
        return new Launcher(home, "128m");
    }

    private static RawMessage get(int port, String target, String... fieldLines) throws Exception {
        StringBuilder request = new StringBuilder("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n");
        for (String line : fieldLines) {
            request.append(line).append("\r\n");
        }
        try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            return client.send(request.append("\r\n").toString()).readResponse();
        }
    }

    private static String total(String authorizer, String result) {
        return "own_total\\{(?=[^}]*name=\"" + authorizer + "\")(?=[^}]*label=\"" + result + "\")[^}]*} 1";
    }

    private static List<String> blocks(String language) throws Exception {
        return Pattern.compile("(?ms)^```([^\\n`]*)\\n(.*?)^```$")
                .matcher(Files.readString(PAGE))
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2))
                .toList();
    }

    @Test
    void theDocumentedConfigurationsAreAccepted() throws Exception {
        List<String> all = blocks("yaml authorization");
        assertThat(all).hasSize(3);
        for (String yaml : all) {
            assertThat(launcher().check(yaml).output()).as(yaml).isEqualTo("ok\n");
        }
    }

    @Test
    void theSampleIsAccepted() throws Exception {
        assertThat(launcher().check(Files.readString(Path.of("../../config/examples/authorization.yml"))))
                .isEqualTo(new Launcher.Ended(0, "ok\n"));
    }

    @Test
    void aFaultyRuleIsRefusedWithItsPlaceAndThatOfTheFault() throws Exception {
        String documented = blocks("").stream()
                .filter(block -> block.startsWith("gateway.yml:"))
                .findFirst()
                .orElseThrow();
        Launcher.Ended refused = launcher().check("""
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            extensions: { authorization: }
            routes:
              - id: api
                respond: { status: 204 }
                authorize: 'request.metod == "GET"'
            """);
        assertThat(refused.code()).isNotZero();
        assertThat(refused.output()).contains(documented.strip());
    }

    @Test
    void anUnknownUpstreamOfAServiceIsRefused() throws Exception {
        Launcher.Ended refused = launcher().check("""
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            extensions: { authorization: }
            routes:
              - id: api
                respond: { status: 204 }
                authorize: [{ ext-authz: { upstream: auth } }]
            upstreams: { authz: { endpoints: ["http://127.0.0.1:9100"] } }
            """);
        assertThat(refused.code()).isNotZero();
        assertThat(refused.output())
                .contains(
                        "gateway.yml:6:42: routes[0].authorize[0].ext-authz.upstream: auth (expected: an upstream; did"
                                + " you mean 'authz'?)");
    }

    @Test
    void anAuthorizerWithoutItsExtensionIsRefusedWithTheRemedy() throws Exception {
        Launcher.Ended refused = launcher().check("""
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            routes: [{ id: api, respond: { status: 204 }, authorize: "true" }]
            """);
        assertThat(refused.code()).isNotZero();
        assertThat(refused.output()).contains("extensions: { authorization");
    }

    @Test
    void decidesByRulesAndByAServiceAndCountsTheDecisions() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("origin")));
                ScriptedOrigin authz = ScriptedOrigin.answering((request, c) -> c.send(
                        request.value("authorization").orElse("").equals("Bearer good")
                                ? Responses.of(200, "", "X-User: alice", "X-Evil: 1")
                                : Responses.of(401, "", "WWW-Authenticate: Bearer")))) {
            Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                admin: { address: "127.0.0.1:0" }
                extensions: { authorization: }
                authorize: 'connection.address.inNet("127.0.0.0/8") && duration("90s") == duration("1m30s")'
                routes:
                  - id: rules
                    match: { path: "/rules/**" }
                    authorize: [{ cel: { rules: { is-get: 'request.method == "GET"', on-route: 'route == "rules"', tenant: '"x-tenant" in request.headers' } } }]
                    upstream: origin
                  - id: service
                    match: { path: "/service/**" }
                    authorize: [{ ext-authz: { upstream: authz, timeout: 30s, upstream-headers: x-user } }]
                    upstream: origin
                  - id: shadow
                    match: { path: "/shadow/**" }
                    authorize: [{ cel: { rule: 'false', mode: shadow } }]
                    upstream: origin
                upstreams:
                  origin: { endpoints: ["http://127.0.0.1:%d"] }
                  authz: { endpoints: ["http://127.0.0.1:%d"] }
                """.formatted(origin.port(), authz.port()));
            Path log = home.resolve("log");
            Process gateway = launcher()
                    .command("run", "--config", "gateway.yml")
                    .redirectOutput(log.toFile())
                    .start();
            try {
                Launcher.awaitReady(log);
                int main = Launcher.port(log, "listening on");
                int admin = Launcher.port(log, "admin listener on");

                assertThat(get(main, "/rules/1", "X-Tenant: a").status()).isEqualTo(200);
                RawMessage denied = get(main, "/rules/1");
                assertThat(denied.status()).isEqualTo(403);
                assertThat(denied.body()).contains("forbidden").doesNotContain("tenant");
                Eventually.eventually(
                        LONGEST, () -> assertThat(Files.readString(log)).contains("denied: rule tenant is false"));
                assertThat(blocks("")).contains("denied: rule tenant is false\n");

                assertThat(get(main, "/service/1", "Authorization: Bearer good").status())
                        .isEqualTo(200);
                RawMessage last = origin.requests().get(origin.requestsSeen() - 1);
                assertThat(last.value("x-user")).contains("alice");
                assertThat(last.has("x-evil")).isFalse();
                assertThat(get(main, "/service/1").value("www-authenticate")).contains("Bearer");

                assertThat(get(main, "/shadow/1").status()).isEqualTo(200);

                Eventually.eventually(
                        LONGEST,
                        () -> assertThat(get(admin, "/metrics").body())
                                .containsPattern(total("cel", "denied"))
                                .containsPattern(total("cel", "shadow-denied"))
                                .containsPattern(total("ext-authz", "allowed"))
                                .containsPattern(total("ext-authz", "denied")));
                assertThat(launcher()
                                .run("explain", "GET", "/service/1", "--admin", "127.0.0.1:" + admin)
                                .output())
                        .containsSubsequence(
                                "cel",
                                "rule connection.address.inNet(\"127.0.0.0/8\") && ",
                                "ext-authz",
                                "upstream authz");
            } finally {
                Launcher.end(gateway);
            }
        }
    }

    @Test
    void itsLibrariesAreInItsOwnJarAlone() throws Exception {
        List<String> packages = List.of(
                "dev/cel/",
                "cel/parser/",
                "org/threeten/",
                "com/google/common/",
                "com/google/thirdparty/",
                "com/google/protobuf/",
                "org/antlr/");
        try (JarFile extension = new JarFile(EXTENSION.toFile());
                JarFile gateway = new JarFile(GATEWAY.toFile())) {
            assertThat(extension.stream().map(entry -> entry.getName()).filter(entry -> entry.endsWith(".class")))
                    .as("as META-INF/NOTICE has it")
                    .allMatch(entry -> entry.startsWith("dev/lychgate/authorization/")
                            || packages.stream().anyMatch(entry::startsWith));
            for (String file : List.of("NOTICE", "LICENSE", "LICENSE-protobuf", "LICENSE-antlr", "LICENSE-threeten")) {
                assertThat(extension.getEntry("META-INF/" + file)).as(file).isNotNull();
            }
            assertThat(gateway.stream().map(entry -> entry.getName()))
                    .noneMatch(entry -> packages.stream().anyMatch(entry::startsWith)
                            || entry.startsWith("dev/lychgate/authorization/"));
        }
    }
}
