package dev.lychgate.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.PlainValues;
import dev.lychgate.config.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each setting that is refused, and the files that settings name. */
class PostgresqlSettingsTest {
    @TempDir
    Path home = Path.of("");

    private static PostgresqlSettings read(Map<String, Object> values) {
        Map<String, Object> all = new HashMap<>(Map.of("endpoints", List.of("db:5432"), "user", "node"));
        all.putAll(values);
        return PostgresqlSettings.KEYS.read(PlainValues.of(all));
    }

    private static void refuses(String message, Map<String, Object> values) {
        assertThatThrownBy(() -> read(values))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message);
    }

    private static void refusesToOpen(String begin, Map<String, Object> values) {
        PostgresqlSettings settings = read(values);
        assertThatThrownBy(() -> PostgresqlStore.open(settings, "prod").close())
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(begin);
    }

    private String file(String name, String content) throws Exception {
        return Files.writeString(home.resolve(name), content).toString();
    }

    @Test
    void anEndpointAndARoleAreEnough() {
        PostgresqlSettings settings = read(Map.of());
        assertThat(settings.database()).isEqualTo("lychgate");
        assertThat(settings.schema()).isEqualTo("lychgate");
        assertThat(settings.tls()).isTrue();
        assertThat(settings.timeout()).hasSeconds(2);
    }

    @Test
    void endpointsHaveAHostAndAPort() {
        assertThat(PostgresqlSettings.endpoint("[::1]:5432").host()).isEqualTo("::1");
        for (String malformed : List.of("db", "postgres://a:1", "a:1/2", ":1", "a:0", "a:70000")) {
            assertThatThrownBy(() -> PostgresqlSettings.endpoint(malformed))
                    .as(malformed)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("host:port, such as db.example:5432 or [::1]:5432");
        }
        refuses("endpoints: 0 addresses (expected: 1 to 16 addresses)", Map.of("endpoints", List.of()));
    }

    @Test
    void refusesAPasswordWithoutTlsExceptOnLoopback() {
        String expected =
                "tls: false (expected: tls: true, or only loopback addresses in endpoints, because the password"
                        + " is sent to the server)";
        refuses(expected, Map.of("tls", false, "password", new Secret("s3cret")));
        refuses(expected, Map.of("tls", false, "password-file", Path.of("p")));
        refuses(
                expected,
                Map.of("tls", false, "password-file", Path.of("p"), "endpoints", List.of("127.0.0.1:1", "db:1")));
        assertThat(read(Map.of(
                                "tls",
                                false,
                                "password",
                                new Secret("s3cret"),
                                "endpoints",
                                List.of("127.0.0.1:1", "localhost:1", "[::1]:1")))
                        .password())
                .isEqualTo("s3cret");
        assertThat(read(Map.of("tls", false)).password()).isNull();
    }

    @Test
    void refusesSettingsThatContradictEachOther() {
        refuses(
                "password-file: p (expected: either password or password-file)",
                Map.of("password", new Secret("s3cret"), "password-file", Path.of("p")));
        refuses("ca: c (expected: only together with tls: true)", Map.of("tls", false, "ca", Path.of("c")));
        refuses("certificate: c (expected: only together with key)", Map.of("certificate", Path.of("c")));
        refuses("key: k (expected: only together with certificate)", Map.of("key", Path.of("k")));
    }

    @Test
    void refusesFilesThatCannotBeUsed() throws Exception {
        String missing = home.resolve("missing").toString();
        refusesToOpen("password-file: " + missing, Map.of("password-file", Path.of(missing)));
        String empty = file("empty", "\n");
        refusesToOpen(
                "password-file: " + empty + " (expected: a file that contains a password)",
                Map.of("password-file", Path.of(empty)));
        refusesToOpen("ca: ", Map.of("ca", Path.of(missing)));
        refusesToOpen("ca: ", Map.of("ca", Path.of(empty)));
        refusesToOpen("certificate: ", Map.of("certificate", Path.of(missing), "key", Path.of(missing)));
    }

    @Test
    void doesNotShowThePassword() throws Exception {
        assertThat(read(Map.of("password", new Secret("s3cret"))).toString()).doesNotContain("s3cret");
        String path = file("password", "s3cret\r\n");
        PostgresqlAccess access = new PostgresqlAccess(read(Map.of("password-file", Path.of(path))));
        assertThat(access.properties().getProperty("password")).isEqualTo("s3cret");
    }

    @Test
    void refusesASectionUnderExtensions() {
        assertThatThrownBy(() -> new Postgresql().open(new Postgresql.Section()))
                .isInstanceOf(ConfigException.class)
                .hasMessage("postgresql: in extensions (expected: fleet.store.postgresql, without this section)");
    }
}
