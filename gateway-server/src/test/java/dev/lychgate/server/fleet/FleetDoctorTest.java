package dev.lychgate.server.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.FleetConfig;
import dev.lychgate.config.FleetStoreConfig;
import dev.lychgate.fleet.FleetStore;
import dev.lychgate.fleet.FleetStoreContract;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Findings about a fleet that is not in order. */
@Tag("slow")
class FleetDoctorTest extends FleetHome {
    private FleetConfig config() throws Exception {
        return new FleetConfig(
                SPACE,
                FleetStoreConfig.ofDirectory(
                        Files.createDirectories(home.resolve("store")).toString()),
                List.of(home.resolve("release.pub").toString()),
                home.resolve("state").toString(),
                "a",
                Map.of());
    }

    private List<String> findings(Clock clock) throws Exception {
        return new FleetDoctor(config(), clock)
                .run().stream()
                        .map(each -> each.outcome() + " " + each.check() + ": " + each.detail())
                        .toList();
    }

    @Test
    void warnsOfAClockThatDiffersFromTheClockOfTheStore() throws Exception {
        // A pause between the two readings makes the local clock seem later.
        assertThat(findings(Clock.offset(Clock.systemUTC(), Duration.ofSeconds(90))))
                .anyMatch(line -> line.matches(
                        "WARNING clock: (89|9\\d) s ahead of the clock of the store \\(expected: at most 5 s\\)"));
        assertThat(findings(Clock.offset(Clock.systemUTC(), Duration.ofSeconds(-90))))
                .anyMatch(line -> line.matches("WARNING clock: (8\\d|90|91) s behind the clock of the store .*"));
    }

    @Test
    void warnsOfASpaceWithoutAHead() throws Exception {
        assertThat(findings(Clock.systemUTC()))
                .contains("WARNING head: space prod has no head; lychgate fleet init creates a head");
    }

    @Test
    void reportsAHeadThatNoTrustedKeySigned() throws Exception {
        FleetStore store = FleetNode.store(config());
        FleetStoreContract.get(store.compareAndSetHead(
                0, FleetHead.first(SPACE, "mallory", NOW).sign(otherKey())));
        store.close();
        assertThat(findings(Clock.systemUTC()))
                .contains("FAILED head: head of prod: no trusted key has signed it")
                .anyMatch(line -> line.startsWith("OK watch: "));
    }
}
