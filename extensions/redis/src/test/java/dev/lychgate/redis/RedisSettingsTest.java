package dev.lychgate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.PlainValues;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Combinations of settings that make no sense are refused, and files are read. */
class RedisSettingsTest {
    private static RedisSettings read(Map<String, Object> values) {
        return RedisSettings.KEYS.read(PlainValues.of(values));
    }

    private static void refuses(String message, Map<String, Object> values) {
        assertThatThrownBy(() -> read(values))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message);
    }

    @Test
    void oneEndpointIsEnough() {
        RedisSettings settings = read(Map.of("endpoints", List.of("127.0.0.1:6379")));
        assertThat(settings.timeout()).hasMillis(10);
        assertThat(settings.prefix()).isEqualTo("lychgate");
        assertThat(settings.gateways()).isEqualTo(1);
    }

    @Test
    void endpointsHaveAHostAndAPort() {
        assertThat(RedisSettings.endpoint("[::1]:6379").host()).isEqualTo("::1");
        assertThat(RedisSettings.endpoint("redis.example:6380").port()).isEqualTo(6380);
        for (String wrong : List.of("redis.example", "redis://a:1", "a:1/2", ":1", "a:0", "a:70000")) {
            assertThatThrownBy(() -> RedisSettings.endpoint(wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("host:port, such as redis.example:6379 or [::1]:6379");
        }
    }

    @Test
    void settingsThatContradictEachOtherAreRefused() {
        List<String> one = List.of("a:1");
        refuses("endpoints: [] (expected: at least one address)", Map.of("endpoints", List.of()));
        refuses(
                "endpoints: [a:1, b:2] (expected: one address, or several addresses together with master or with cluster: true)",
                Map.of("endpoints", List.of("a:1", "b:2")));
        refuses(
                "master: m (expected: only without cluster: true)",
                Map.of("endpoints", one, "master", "m", "cluster", true));
        refuses("username: u (expected: only together with password-file)", Map.of("endpoints", one, "username", "u"));
        refuses(
                "sentinel-password-file: f (expected: only together with master)",
                Map.of("endpoints", one, "sentinel-password-file", Path.of("f")));
        refuses(
                "ca-file: f (expected: only together with tls: true)",
                Map.of("endpoints", one, "ca-file", Path.of("f")));
    }

    @Test
    void aPasswordIsReadWithoutTheLineBreakAtItsEnd(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("password"), "s3cret \n");
        Access access = Access.read(read(Map.of("endpoints", List.of("a:1"), "password-file", file)));
        assertThat(access.password()).isEqualTo("s3cret ");
        assertThat(access.toString()).doesNotContain("s3cret");
        Files.writeString(file, "\n");
        RedisSettings empty = read(Map.of("endpoints", List.of("a:1"), "password-file", file));
        assertThatThrownBy(() -> Access.read(empty)).hasMessageContaining("a file that contains a password");
        RedisSettings wrongAuthority = read(Map.of("endpoints", List.of("a:1"), "tls", true, "ca-file", file));
        assertThatThrownBy(() -> Access.read(wrongAuthority))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a file with certificates in PEM");
        Files.delete(file);
        assertThatThrownBy(() -> Access.read(empty))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("password-file: ")
                .hasMessageContaining("a file that can be read");
    }
}
