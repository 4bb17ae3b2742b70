package dev.lychgate.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKSet;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packed extension in a gateway that {@code bin/lychgate} has started; runs after packaging. */
class IdentityIT {
    private static final Path GATEWAY = Launcher.ROOT.resolve("gateway-server/target/lychgate.jar");
    private static final Path EXTENSION = Launcher.ROOT.resolve("extensions/identity/target/identity.jar");
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @TempDir
    Path home = Path.of("");

    private Launcher launcher() {
        return new Launcher(home, "96m");
    }

    private Path configure(String more, String upstream) throws Exception {
        return Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                extensions: { identity: }
                routes:
                  - id: api
                    authenticate: { jwt: { keys: keys.json, issuer: "https://id.example.com", audience: api }%s }
                    %s
                """.formatted(more, upstream));
    }

    @Test
    void verifiesTokensOfRealRequestsAndFollowsTheKeys() throws Exception {
        Path keys = Issuer.writeKeys(home.resolve("keys.json"));
        List<String> seen = new CopyOnWriteArrayList<>();
        List<String> trailers = new CopyOnWriteArrayList<>();
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, connection) -> {
            request.trailers().forEach(trailer -> trailers.add(trailer.name()));
            seen.add(
                    request.value("x_user").orElse("") + request.value("x-user").orElse("none"));
            connection.send(Responses.ok("origin"));
        })) {
            Path config = configure(
                    ", claims-to-headers: { sub: x-user, team: x-team }",
                    "upstream: origin\nupstreams: { origin: { endpoints: [\"http://127.0.0.1:" + origin.port()
                            + "\"] } }");
            Path log = home.resolve("log");
            Process gateway = launcher()
                    .command("run", "--config", config.toString())
                    .redirectOutput(log.toFile())
                    .start();
            try {
                Launcher.awaitReady(log);
                int main = Launcher.port(log, "listening on");

                String token = Issuer.token(claims -> {});
                // The first verification loads classes, on a busy machine longer than a filter may run.
                Eventually.eventually(
                        LONGEST,
                        () -> assertThat(get(main, "Bearer " + token).status()).isEqualTo(200));
                seen.clear();
                for (int i = 0; i < 3; i++) {
                    assertThat(get(main, "Bearer " + token).status()).isEqualTo(200);
                }
                assertThat(seen).containsExactly("alice", "alice", "alice");
                assertThat(post(main, token, "X_User: root\r\nX-Team: admins\r\nX-Sum: 1")
                                .status())
                        .isEqualTo(200);
                assertThat(trailers).as("a claim that the token lacks, too").containsExactly("X-Sum");
                seen.remove(3);
                assertThat(challenge(main, null)).isEqualTo("401 Bearer");
                assertThat(challenge(main, "Basic YTpi")).isEqualTo("401 Bearer");
                assertThat(challenge(main, "Bearer x.y.z"))
                        .isEqualTo("401 Bearer error=\"invalid_token\", error_description=\"the token is malformed\"");
                assertThat(challenge(main, "Bearer " + "a".repeat(8_193)))
                        .isEqualTo("401 Bearer error=\"invalid_token\", error_description=\"the token is too long\"");
                assertThat(challenge(main, "Bearer " + token + "\r\nAuthorization: Bearer " + token))
                        .startsWith("400 Bearer error=\"invalid_request\"");
                assertThat(seen).as("refused requests reach no origin").hasSize(3);

                // Keys are rotated; the remembered token is forgotten with the generation.
                Files.writeString(keys, new JWKSet(Issuer.OTHER_RSA.toPublicJWK()).toString());
                Eventually.eventually(
                        LONGEST,
                        () -> assertThat(challenge(main, "Bearer " + token))
                                .isEqualTo(
                                        "401 Bearer error=\"invalid_token\", error_description=\"the signature is invalid\""));
                String other = Issuer.sign(
                        Issuer.header(JWSAlgorithm.RS256, "rsa"),
                        Issuer.claims().build(),
                        Issuer.signer(Issuer.OTHER_RSA));
                assertThat(get(main, "Bearer " + other).status()).isEqualTo(200);
            } finally {
                Launcher.end(gateway);
            }
        }
    }

    /** The directory of extensions is the test's own, so that the jar can be removed. */
    @Test
    void aRollbackRestoresSettingsAndClassesAndReadsTheKeysAsTheyAreNow() throws Exception {
        Path installed = Files.createDirectories(home.resolve("installed")).resolve("identity.jar");
        Files.copy(EXTENSION, installed);
        Path keys = Issuer.writeKeys(home.resolve("keys.json"));
        Path config = configure("", "respond: { status: 204 }");
        Files.writeString(config, "admin: { address: \"127.0.0.1:0\" }\n" + Files.readString(config));
        Path log = home.resolve("log");
        ProcessBuilder builder = launcher().command("run", "--config", config.toString());
        builder.environment().put("LYCHGATE_OPTS", "-Dlychgate.extensions=" + installed.getParent());
        Process gateway = builder.redirectOutput(log.toFile()).start();
        try {
            Launcher.awaitReady(log);
            int main = Launcher.port(log, "listening on");
            String admin = "127.0.0.1:" + Launcher.port(log, "admin listener on");
            String token = Issuer.token(claims -> {});
            Eventually.eventually(
                    LONGEST,
                    () -> assertThat(get(main, "Bearer " + token).status()).isEqualTo(204));

            Files.writeString(config, Files.readString(config).replace("audience: api", "audience: other"));
            Eventually.eventually(
                    LONGEST,
                    () -> assertThat(get(main, "Bearer " + token).status()).isEqualTo(401));
            Files.delete(installed);
            Files.writeString(keys, new JWKSet(Issuer.OTHER_RSA.toPublicJWK()).toString());
            Launcher.Ended refused = launcher().run("reload", "--admin", admin);
            assertThat(refused.code()).as(refused.output()).isNotZero();
            assertThat(refused.output()).contains("extensions.identity: unknown extension");

            Launcher.Ended restored = launcher().run("rollback", "1", "--admin", admin);
            assertThat(restored.code()).as(restored.output()).isZero();
            String other = Issuer.sign(
                    Issuer.header(JWSAlgorithm.RS256, "rsa"), Issuer.claims().build(), Issuer.signer(Issuer.OTHER_RSA));
            assertThat(get(main, "Bearer " + other).status()).isEqualTo(204);
            assertThat(challenge(main, "Bearer " + token))
                    .isEqualTo("401 Bearer error=\"invalid_token\", error_description=\"the signature is invalid\"");
        } finally {
            Launcher.end(gateway);
        }
    }

    private static RawMessage post(int port, String token, String trailers) throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            return client.send("POST / HTTP/1.1\r\nHost: lychgate.test\r\nAuthorization: Bearer " + token
                            + "\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + trailers + "\r\n\r\n")
                    .readResponse();
        }
    }

    private static RawMessage get(int port, @Nullable String authorization) throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            String field = authorization == null ? "" : "Authorization: " + authorization + "\r\n";
            return client.send("GET / HTTP/1.1\r\nHost: lychgate.test\r\nX-User: root\r\nX_User: root\r\n" + field
                            + "\r\n")
                    .readResponse();
        }
    }

    private static String challenge(int port, @Nullable String authorization) throws Exception {
        RawMessage response = get(port, authorization);
        return response.status() + " " + response.value("www-authenticate").orElse("none");
    }

    @Test
    void isCheckedAndListedFromAnyDirectory() throws Exception {
        Path keys = Issuer.writeKeys(home.resolve("keys.json"));
        configure("", "respond: { status: 204 }");
        assertThat(launcher().run("check", "--config", "gateway.yml")).isEqualTo(new Launcher.Ended(0, "ok\n"));
        assertThat(launcher().run("extensions").output())
                .containsPattern("identity \\d+\\.\\d+\\.\\d+")
                .contains("jwt, introspection")
                .contains(EXTENSION.toString());

        Path config = configure("", "respond: { status: 204 }");
        Files.writeString(
                config, Files.readString(config).replace("audience: api", "audience: api, algorithms: [none]"));
        assertThat(launcher().run("check", "--config", "gateway.yml").output())
                .contains("gateway.yml:5:")
                .contains("routes[0].authenticate.jwt.algorithms[0]: none (expected: RS256, ");
        configure("", "respond: { status: 204 }");
        Files.delete(keys);
        assertThat(launcher().run("check", "--config", "gateway.yml").output())
                .contains("gateway.yml:5:")
                .contains("routes[0].authenticate.any-of[0].jwt.keys: ")
                .contains("(expected: a file that can be read: ");
    }

    @Test
    void theDocumentedConfigurationIsAccepted() throws Exception {
        Issuer.writeKeys(home.resolve("keys.json"));
        String page = Files.readString(Launcher.ROOT.resolve("docs/extensions.md"));
        String yaml =
                page.substring(page.indexOf("```yaml extension\n") + 18, page.indexOf("```\n\nThe key `extensions`"));
        Files.writeString(home.resolve("gateway.yml"), yaml);
        assertThat(launcher().run("check", "--config", "gateway.yml")).isEqualTo(new Launcher.Ended(0, "ok\n"));
        Files.writeString(home.resolve("gateway.yml"), yaml.replace("  identity:", "  identity: { threads: 4 } #"));
        assertThat(launcher().run("check", "--config", "gateway.yml")).isEqualTo(new Launcher.Ended(0, "ok\n"));
    }

    @Test
    void theConfigurationsOfThePageAboutIdentityAreAccepted() throws Exception {
        Issuer.writeKeys(home.resolve("partner.json"));
        Matcher blocks = Pattern.compile("(?ms)^```yaml identity\\n(.*?)^```")
                .matcher(Files.readString(Launcher.ROOT.resolve("docs/identity.md")));
        int count = 0;
        while (blocks.find()) {
            Files.writeString(home.resolve("gateway.yml"), blocks.group(1));
            assertThat(launcher().run("check", "--config", "gateway.yml"))
                    .as(blocks.group(1))
                    .isEqualTo(new Launcher.Ended(0, "ok\n"));
            count++;
        }
        assertThat(count).isEqualTo(3);
    }

    @Test
    void theSampleIsAcceptedAndNeedsItsUpstreams() throws Exception {
        String sample = Files.readString(Launcher.ROOT.resolve("config/examples/identity.yml"));
        assertThat(launcher()
                        .run("api-key", "new", "--owner", "orders", "--id", "orders-1", "--file", "keys.txt")
                        .code())
                .isZero();
        Files.writeString(home.resolve("gateway.yml"), sample);
        assertThat(launcher().run("check", "--config", "gateway.yml")).isEqualTo(new Launcher.Ended(0, "ok\n"));

        assertThat(refusal(sample.replace("upstream: id\n", "upstream: ids\n")))
                .contains("gateway.yml:31:19: routes[2].authenticate.introspection.upstream: ids"
                        + " (expected: an upstream; did you mean 'id'?)");
        String url = sample.replace("upstream: id\n", "upstream: \"https://id.example.com/oauth2\"\n");
        assertThat(refusal(url))
                .contains(
                        "gateway.yml:31:19: routes[2].authenticate.introspection.upstream: https://id.example.com/oauth2"
                                + " (expected: an upstream, or an origin of filters.call-outs, which has no origins)");
        assertThat(refusal(url + "filters: { call-outs: [\"https://login.example.com\"] }\n"))
                .contains("(expected: an upstream, or one of the origins in filters.call-outs:"
                        + " https://login.example.com:443)");
        assertThat(refusal(url + "filters: { call-outs: [\"https://id.example.com\"] }\n"))
                .endsWith("ok\n");
        for (String malformed : List.of("\"a b\"", "ftp://id.example.com/", "\"//id.example.com/\"")) {
            assertThat(refusal(sample.replace("upstream: id\n", "upstream: " + malformed + "\n")))
                    .contains("routes[2].authenticate.introspection.upstream: ");
        }
    }

    private String refusal(String yaml) throws Exception {
        Files.writeString(home.resolve("gateway.yml"), yaml);
        return launcher().run("check", "--config", "gateway.yml").output();
    }

    /** An installation without a launcher: the jar, and the directory of extensions beside it. */
    @Test
    void isFoundBesideTheFatJar() throws Exception {
        Path jar = Files.copy(GATEWAY, home.resolve("lychgate.jar"));
        Path installed = Files.createDirectories(home.resolve("lib/extensions")).resolve("identity.jar");
        List<String> check = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                jar.toString(),
                "check",
                "--config",
                "gateway.yml");
        Issuer.writeKeys(home.resolve("keys.json"));
        configure("", "respond: { status: 204 }");
        assertThat(launcher().run(launcher().prepared(check)).output())
                .contains("extensions.identity: unknown extension (expected: an extension; none is installed in "
                        + installed.getParent());
        Files.copy(EXTENSION, installed);
        assertThat(launcher().run(launcher().prepared(check))).isEqualTo(new Launcher.Ended(0, "ok\n"));
    }

    @Test
    void itsLibraryIsInItsOwnJarAlone() throws Exception {
        try (JarFile extension = new JarFile(EXTENSION.toFile());
                JarFile gateway = new JarFile(GATEWAY.toFile())) {
            assertThat(extension.getEntry("com/nimbusds/jose/JWSObject.class")).isNotNull();
            assertThat(extension.stream().map(entry -> entry.getName()))
                    .noneMatch(entry -> entry.startsWith("dev/lychgate/config/"));
            assertThat(extension.stream().map(entry -> entry.getName()).filter(entry -> entry.endsWith(".class")))
                    .as("as META-INF/NOTICE has it")
                    .allMatch(entry -> entry.startsWith("com/nimbusds/")
                            || entry.startsWith("org/bouncycastle/")
                            || entry.startsWith("dev/lychgate/identity/"));
            assertThat(extension.getEntry("META-INF/NOTICE")).isNotNull();
            assertThat(extension.getEntry("META-INF/LICENSE")).isNotNull();
            assertThat(gateway.stream().map(entry -> entry.getName()))
                    .noneMatch(entry -> entry.startsWith("com/nimbusds/")
                            || entry.startsWith("org/bouncycastle/")
                            || entry.startsWith("dev/lychgate/identity/"));
        }
    }
}
