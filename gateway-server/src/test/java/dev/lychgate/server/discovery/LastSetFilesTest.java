package dev.lychgate.server.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.EndpointReadiness;
import dev.lychgate.discovery.LastSets.Kept;
import dev.lychgate.discovery.LastSets.Service;
import dev.lychgate.upstream.FoundEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The last sets of endpoints on disk. */
class LastSetFilesTest {
    private static final Service SERVICE = new Service("api", "lan", "shop");
    private static final Kept SET = new Kept(
            Instant.parse("2026-01-02T03:04:05Z"),
            List.of(
                    FoundEndpoint.of("10.0.0.1", 80),
                    FoundEndpoint.of(
                            "2001:db8::1", 81, 7, "eu-1", 2, EndpointReadiness.DRAINING, Map.of("version", "v2"))));

    @TempDir
    Path home = Path.of("");

    @Test
    void readsWhatItHasWritten() throws Exception {
        LastSetFiles files = new LastSetFiles(home.resolve("a/b"));
        assertThat(files.read(SERVICE)).isNull();

        files.write(SERVICE, SET);
        files.write(new Service("api", "lan", "other"), new Kept(Instant.EPOCH, List.of()));

        assertThat(files.read(SERVICE)).isEqualTo(SET);
        try (var all = Files.list(home.resolve("a/b"))) {
            assertThat(all.map(each -> String.valueOf(each.getFileName())))
                    .containsExactlyInAnyOrder("api@lan@shop.json", "api@lan@other.json");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{}",
                "{\"confirmed\": \"2026-01-02T03:04:05Z\", \"endpoints\": [{\"host\": \"a b\", \"port\": 80}]}",
                "{\"confirmed\": \"2026-01-02T03:04:05Z\", \"endpoints\": [{\"host\": \"a\", \"port\": 80, \"state\": \"x\"}]}"
            })
    void refusesAMalformedFile(String text) throws Exception {
        Files.writeString(home.resolve("api@lan@shop.json"), text);
        assertThatThrownBy(() -> new LastSetFiles(home).read(SERVICE)).isInstanceOf(IOException.class);
    }
}
