package dev.lychgate.server.yaml;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.Secret;
import dev.lychgate.filters.libraries.Sha256;
import dev.lychgate.server.secrets.KeyFile;
import dev.lychgate.server.secrets.SealedSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** References to secrets in a configuration: where they are accepted, and what messages about the others contain. */
class SecretReferencesTest {
    private static final String TOKEN = "planted-admin-token-0001";
    private static final String REST = """
            routes: [{ id: all, respond: { status: 200 } }]
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            """;

    @TempDir
    Path home = Path.of("");

    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void write() throws Exception {
        secret("secrets/token", TOKEN + "\n");
    }

    private void secret(String path, String text) throws IOException {
        Path file = home.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private LoadedConfig loaded(String yaml) throws Exception {
        return new ConfigReader(environment::get).read(Files.writeString(home.resolve("gateway.yml"), yaml));
    }

    private GatewayConfig config(String yaml) throws Exception {
        return loaded(yaml).config();
    }

    private List<String> faults(String yaml) throws Exception {
        FaultyConfigException e = catchThrowableOfType(FaultyConfigException.class, () -> loaded(yaml));
        assertThat(e).as(yaml).isNotNull();
        return e.faults().stream()
                .map(Fault::toString)
                .map(fault -> fault.replace(home + "/", ""))
                .toList();
    }

    private static String admin(String token) {
        return "admin: { address: \"127.0.0.1:0\", token: \"" + token + "\" }\n" + REST;
    }

    private String token(String written) throws Exception {
        return String.valueOf(requireNonNull(config(admin(written)).admin()).token());
    }

    // ---- sources

    @Test
    void readsEachSource() throws Exception {
        environment.put("TOKEN", "planted-env-token-00001");
        environment.put("CREDENTIALS_DIRECTORY", home.resolve("credentials").toString());
        secret("credentials/admin", "planted-credential-00001\n");
        Path key = home.resolve("key");
        KeyFile.create(key, new SecureRandom());
        environment.put("LYCHGATE_KEY_FILE", key.toString());

        assertThat(token("${file:secrets/token}")).isEqualTo(TOKEN);
        assertThat(token("${file:" + home.resolve("secrets/token") + "}")).isEqualTo(TOKEN);
        assertThat(token("${env:TOKEN}")).isEqualTo("planted-env-token-00001");
        assertThat(token("${credential:admin}")).isEqualTo("planted-credential-00001");
        assertThat(token(SealedSecret.seal("planted-sealed-token-01", KeyFile.read(key), new SecureRandom())))
                .isEqualTo("planted-sealed-token-01");
        assertThat(token("x-${file:secrets/token}-${env:TOKEN}")).isEqualTo("x-" + TOKEN + "-planted-env-token-00001");
    }

    @Test
    void findsTheKeyInACredential() throws Exception {
        Path key = home.resolve("lychgate-key");
        KeyFile.create(key, new SecureRandom());
        environment.put("CREDENTIALS_DIRECTORY", home.toString());
        assertThat(token(SealedSecret.seal("planted-sealed-token-01", KeyFile.read(key), new SecureRandom())))
                .isEqualTo("planted-sealed-token-01");
    }

    @Test
    void aPathIsRelativeToTheFileThatContainsIt() throws Exception {
        secret("parts/secrets/token", "planted-token-of-a-part");
        Files.writeString(
                home.resolve("parts/admin.yml"),
                "admin: { address: \"127.0.0.1:0\", token: \"${file:secrets/token}\" }\n");
        GatewayConfig config = config("include: parts/*.yml\n" + REST);
        assertThat(requireNonNull(config.admin()).token()).isEqualTo("planted-token-of-a-part");
    }

    @Test
    void everyReferenceOfAReadingHasTheSameSecret() throws Exception {
        LoadedConfig loaded = loaded("""
                admin: { address: "127.0.0.1:0", token: "${file:secrets/token}" }
                filters:
                  trace: { secret: "${file:secrets/token}" }
                """ + REST);
        assertThat(loaded.config().filters().trace().secret()).isEqualTo(TOKEN);
        assertThat(loaded.secrets().digests()).containsOnlyKeys("file:secrets/token");
        assertThat(loaded.secrets().files()).containsExactly(home.resolve("secrets/token"));
    }

    // ---- injection

    @ParameterizedTest
    @ValueSource(
            strings = {
                "${env:HOME_OF_ATTACKER}-and-more",
                "$${file:/etc/passwd}-literal",
                "x\", operators: [], y: \"-long-enough",
                "'; - { name: evil } # long enough",
                "${UNSET_VARIABLE}-long-enough"
            })
    void theContentIsPlainText(String content) throws Exception {
        secret("secrets/value", content);
        FilterConfig filter = config("filters: { global: [{ Own: { token: \"${file:secrets/value}\" } }] }\n" + REST)
                .filters()
                .global()
                .get(0);
        assertThat(filter.settings()).containsExactlyEntriesOf(Map.of("token", new Secret(content)));
    }

    @Test
    void anEscapedReferenceIsLiteralText() throws Exception {
        assertThat(token("$${file:secrets/token}")).isEqualTo("${file:secrets/token}");
        assertThat(loaded(admin("$${file:secrets/token}")).secrets().isEmpty()).isTrue();
    }

    @Test
    void namesInCapitalsAreVariables() throws Exception {
        environment.put("FILE", "planted-of-a-variable");
        assertThat(token("${FILE:x}")).isEqualTo("planted-of-a-variable");
        assertThat(token("${File:default-of-a-variable}")).isEqualTo("default-of-a-variable");
    }

    // ---- refused references

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "${file}|${file:PATH} for a secret; the name 'file' is reserved, so a variable needs another name",
                "${env}|${env:NAME} for a secret; the name 'env' is reserved, so a variable needs another name",
                "${credential}|${credential:NAME} for a secret; the name 'credential' is reserved, so a variable needs another name",
                "${encrypted:}|${encrypted:VALUE} for a secret; the name 'encrypted' is reserved, so a variable needs another name",
                "${file:missing}|a file that exists; there is no missing; the name 'file' is reserved, so a variable needs another name",
                "${file:secrets}|a file; secrets is a directory",
                "${env:UNSET}|environment variable UNSET to be set; the name 'env' is reserved, so a variable needs another name",
                "${env:UNSET:default}|${env:NAME} with a name of letters, digits and '_', and without a default; the name 'env' is reserved, so a variable needs another name",
                "${env:EMPTY}|a secret; environment variable EMPTY is empty",
                "${credential:x}|a systemd credential: LoadCredential=x:PATH in the unit, for which systemd sets CREDENTIALS_DIRECTORY",
                "${credential:../x}|${credential:NAME} with the name of a systemd credential",
                "${credential:..}|${credential:NAME} with the name of a systemd credential",
                "${encrypted:AAAA}|a key: set LYCHGATE_KEY_FILE to the path of the file that lychgate secret key has written, or load this file as the systemd credential lychgate-key"
            })
    void reportsAReferenceThatCannotBeReadWithItsPosition(String reference, String expected) throws Exception {
        environment.put("EMPTY", "");
        String shown = reference.replace("AAAA", "...");
        assertThat(faults(admin("a-" + reference)))
                .containsExactly("gateway.yml:1:44: admin.token: a-" + shown + " (expected: " + expected + ")");
    }

    @Test
    void reportsTheColumnOfTheReferenceInPlainAndQuotedValues() throws Exception {
        assertThat(faults("admin:\n  address: 127.0.0.1:0\n  token: ab${file:x}\n" + REST)
                        .get(0))
                .startsWith("gateway.yml:3:12: admin.token: ");
        assertThat(faults("admin:\n  address: 127.0.0.1:0\n  token: 'ab${file:x}'\n" + REST)
                        .get(0))
                .startsWith("gateway.yml:3:13: admin.token: ");
        assertThat(faults("admin:\n  address: 127.0.0.1:0\n  token: |\n    ab${file:x}\n" + REST)
                        .get(0))
                .startsWith("gateway.yml:3:10: admin.token: ");
    }

    @Test
    void reportsTheIncludedFileOfAReference() throws Exception {
        Files.createDirectories(home.resolve("parts"));
        Files.writeString(
                home.resolve("parts/admin.yml"), "admin: { address: \"127.0.0.1:0\", token: \"${file:x}\" }\n");
        assertThat(faults("include: parts/*.yml\n" + REST))
                .containsExactly(
                        "parts/admin.yml:1:42: admin.token: ${file:x} (expected: a file that exists; there is no"
                                + " parts/x; the name 'file' is reserved, so a variable needs another name)");
    }

    @Test
    void refusesReferencesInKeys() throws Exception {
        assertThat(faults("filters: { global: [{ Own: { \"${file:secrets/token}\": x } }] }\n" + REST))
                .containsExactly("gateway.yml:1:30: filters.global[0].Own: a reference in a key: ${file:secrets/token}"
                        + " (expected: references only in values)");
        assertThat(faults("upstreams: { \"${env:X}\": { endpoints: [\"http://127.0.0.1:1\"] } }\n" + REST))
                .anyMatch(fault -> fault.contains("a reference in a key: ${env:X}"));
    }

    // ---- values that may be secret

    @ParameterizedTest
    @ValueSource(
            strings = {
                "listeners: [{ name: \"${file:secrets/token}\", address: \"127.0.0.1:0\" }]",
                "listeners: [{ name: main, address: \"${file:secrets/token}\" }]",
                "workers: ${file:secrets/token}",
                "drain: { timeout: \"${file:secrets/token}\" }",
                "include: ${file:secrets/token}",
                "routes: [{ id: \"${file:secrets/token}\", respond: { status: 200 } }]",
                "routes: [{ id: a, match: { path: \"/${file:secrets/token}\" }, respond: { status: 200 } }]",
                "routes: [{ id: a, match: { headers: { x-token: \"${file:secrets/token}\" } }, respond: {} }]",
                "routes: [{ id: a, respond: { body: \"${file:secrets/token}\" } }]",
                "routes: [{ id: a, filters: [\"${file:secrets/token}\"], respond: { status: 200 } }]",
                "routes: [{ id: a, filters: [{ size-limit: { limit: \"${file:secrets/token}\" } }], respond: {} }]",
                "routes: [{ id: a, filters: [{ rewrite-path: { regex: \"${file:secrets/token}\", replacement: x } }], respond: {} }]",
                "upstreams: { a: { endpoints: [\"http://${file:secrets/token}/\"] } }",
                "access-log: { file: \"${file:secrets/token}\" }",
                "access-log: { hec: { url: \"http://a/${file:secrets/token}\", token: x } }",
                "filters: { properties: { greeting: \"${file:secrets/token}\" } }",
                "filters: { directory: \"${file:secrets/token}\" }",
                "watch: ${file:secrets/token}"
            })
    void refusesASecretWhereTheValueIsShown(String yaml) throws Exception {
        List<String> faults = faults(yaml + "\n");
        assertThat(faults)
                .anyMatch(fault -> fault.contains("value from file secrets/token (expected: a plain value or "
                        + "${NAME}, because pages and logs show this value)"));
        assertThat(String.join("\n", faults)).doesNotContain(TOKEN);
    }

    @Test
    void acceptsSecretsInListsAndMappingsOfSettings() throws Exception {
        FilterConfig filter = config("""
                filters:
                  global:
                    - Own:
                        plain: 5
                        list: [a, "Bearer ${file:secrets/token}"]
                        mapping: { x: "${file:secrets/token}", deep: { y: ["${file:secrets/token}"] } }
                """ + REST).filters().global().get(0);
        assertThat(filter.settings().get("list")).isEqualTo(List.of("a", new Secret("Bearer " + TOKEN)));
        assertThat(filter.settings().get("mapping"))
                .isEqualTo(Map.of("x", new Secret(TOKEN), "deep", Map.of("y", List.of(new Secret(TOKEN)))));
        assertThat(filter.toString()).doesNotContain(TOKEN).contains("plain=5");
    }

    @Test
    void acceptsSecretsInSettingsOfBuiltInFilters() throws Exception {
        FilterConfig filter = config("""
                routes:
                  - id: one
                    filters: [{ set-request-header: { name: x-plain, value: "Bearer ${file:secrets/token}" } }]
                    respond: { status: 200 }
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                """).routes().get(0).filters().get(0);
        assertThat(filter.settings()).isEqualTo(Map.of("name", "x-plain", "value", new Secret("Bearer " + TOKEN)));
    }

    @Test
    void acceptsASecretOfAGroupInEachOfItsRoutes() throws Exception {
        GatewayConfig config = config("""
                groups:
                  partner: { filters: [{ set-request-header: { name: x-a, value: "${file:secrets/token}" } }] }
                routes:
                  - { id: one, group: partner, match: { path: /1 }, respond: { status: 200 } }
                  - { id: two, group: partner, match: { path: /2 }, respond: { status: 200 } }
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                """);
        assertThat(config.routes())
                .allSatisfy(
                        route -> assertThat(route.filters().get(0).settings().get("value"))
                                .isEqualTo(new Secret(TOKEN)));
    }

    @Test
    void acceptsASecretInAPropertyWithAMaskedName() throws Exception {
        assertThat(config("filters: { properties: { partner-token: \"${file:secrets/token}\" } }\n" + REST)
                        .filters()
                        .properties())
                .isEqualTo(Map.of("partner-token", List.of(TOKEN)));
        assertThat(config("filters: { properties: { keys.api-key: [a, \"${file:secrets/token}\"] } }\n" + REST)
                        .filters()
                        .properties())
                .isEqualTo(Map.of("keys.api-key", List.of("a", TOKEN)));
    }

    // ---- messages

    @Test
    void aRefusedSecretHasItsSourceInTheMessage() throws Exception {
        environment.put("SHORT", "p4ss");
        assertThat(faults(admin("${env:SHORT}")))
                .containsExactly("gateway.yml:1:41: admin.token: value from environment variable SHORT (expected: 16 to"
                        + " 256 characters of ASCII without blanks)");
        secret("secrets/umlaut", "pässwörd-planted-0001");
        assertThat(faults("""
                routes:
                  - id: one
                    filters: [{ set-request-header: { name: x-plain, value: "${file:secrets/umlaut}" } }]
                    respond: { status: 200 }
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                """))
                .containsExactly("gateway.yml:3:61: routes[0].filters[0].set-request-header.value: *** (expected: ASCII"
                        + " without line breaks)");
    }

    @Test
    void aRefusedValueOfASecretFieldIsMaskedAlsoIfItIsInTheFile() throws Exception {
        assertThat(String.join("\n", faults("""
                routes:
                  - id: one
                    filters: [{ set-request-header: { name: Authorization, value: "Bearer pässwort" } }]
                    respond: { status: 200 }
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                """)))
                .contains("set-request-header.value: ***")
                .doesNotContain("pässwort", "ssw");
    }

    @Test
    void warnsOfFilesThatEveryUserCanRead() throws Exception {
        Files.setPosixFilePermissions(home.resolve("secrets/token"), PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(loaded(admin("${file:secrets/token}")).secrets().warnings())
                .singleElement()
                .asString()
                .contains("gateway.yml:1:41: admin.token: every user of this machine can read "
                        + home.resolve("secrets/token"))
                .doesNotContain(TOKEN);
    }

    @Test
    void aMalformedPlaceholderBesideASecretDoesNotShowIt() throws Exception {
        assertThat(String.join("\n", faults(admin("${file:secrets/token}${")))).doesNotContain(TOKEN);
        assertThat(String.join("\n", faults(admin("${file:secrets/token}${UNSET}"))))
                .doesNotContain(TOKEN);
    }

    @Test
    void textsOfTheFilesContainReferencesOnly() throws Exception {
        LoadedConfig loaded = loaded(admin("${file:secrets/token}"));
        assertThat(requireNonNull(loaded.texts()).toString())
                .contains("${file:secrets/token}")
                .doesNotContain(TOKEN);
        assertThat(loaded.secrets()).hasToString("[file:secrets/token]");
    }

    @Test
    void aChangedSecretHasAnotherDigestThatIsNotAPlainHash() throws Exception {
        Map<String, String> before =
                loaded(admin("${file:secrets/token}")).secrets().digests();
        assertThat(loaded(admin("${file:secrets/token}")).secrets().digests()).isEqualTo(before);
        secret("secrets/token", "planted-admin-token-0002");
        Map<String, String> after =
                loaded(admin("${file:secrets/token}")).secrets().digests();
        assertThat(ReferredSecrets.changed(before, after)).containsExactly("file:secrets/token");
        assertThat(before.values()).doesNotContain(Sha256.of(TOKEN));
    }
}
