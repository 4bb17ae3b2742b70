package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.DiscoveryConfig;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.server.yaml.ConfigReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The configurations and files on the page about discovery. */
@Tag("slow")
class DocumentedDiscoveryTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+) (\\w+)\\n(.*?)^```");

    @TempDir
    Path home = Path.of("");

    /** Returns the blocks with a name, as {@code LANGUAGE NAME}. */
    private static Map<String, String> blocks() throws Exception {
        Map<String, String> blocks = new TreeMap<>();
        BLOCK.matcher(Files.readString(Path.of("../docs/discovery.md")))
                .results()
                .forEach((MatchResult block) -> blocks.put(block.group(1) + " " + block.group(2), block.group(3)));
        return blocks;
    }

    @Test
    void servesTheEndpointsOfTheFilesOnThePage() throws Exception {
        Path endpoints = Files.createDirectories(home.resolve("endpoints"));
        Files.writeString(endpoints.resolve("api.json"), requireNonNull(blocks().get("json prometheus")));
        Path file = Files.writeString(
                home.resolve("gateway.yml"),
                Snippets.onFreePorts(Snippets.yaml("discovery.md").get(0)));
        try (FileGateway<Lychgate> gateway = FileGateway.start(file, name -> null, Lychgate::start);
                Lychgate running = gateway.gateway()) {
            // The start waits for the files only for a short time.
            eventually(() -> assertThat(authorities(running))
                    .containsExactly(
                            "10.0.0.1:9000 READY {version=v2, zone=eu-1}",
                            "10.0.0.2:9000 READY {version=v2, zone=eu-1}",
                            "10.0.0.3:9000 DRAINING {state=draining}"));

            Files.writeString(endpoints.resolve("api.json"), requireNonNull(blocks().get("json envoy")));

            eventually(() -> assertThat(authorities(running))
                    .containsExactly("10.0.0.1:9000 READY {}", "10.0.0.2:9000 DRAINING {}"));
        }
    }

    private static Iterable<String> authorities(Lychgate gateway) {
        return requireNonNull(gateway.generation().upstream("api")).endpoints().stream()
                .map(each -> each.authority() + " " + each.config().readiness() + " "
                        + new TreeMap<>(each.config().metadata()))
                .toList();
    }

    @Test
    void readsTheConfigurationsOfAllSourcesOnThePage() throws Exception {
        Files.writeString(home.resolve("consul.token"), "7b0d6c1e-92a1-token");
        for (Map.Entry<String, String> block : blocks().entrySet()) {
            if (block.getKey().startsWith("yaml ")) {
                String name = block.getKey().substring(5);
                Path file = Files.writeString(
                        home.resolve(name + ".yml"),
                        "listeners: [{ name: main, address: \"127.0.0.1:0\" }]\n" + block.getValue());
                DiscoveryConfig discovery = new ConfigReader(variable -> null)
                        .read(file)
                        .config()
                        .policies()
                        .discovery();
                assertThat(requireNonNull(discovery).sources()).as(name).isNotEmpty();
            }
        }
        assertThat(blocks())
                .containsKeys("yaml files", "yaml consul", "yaml kubernetes", "yaml eureka", "yaml etcd", "json value");
    }
}
