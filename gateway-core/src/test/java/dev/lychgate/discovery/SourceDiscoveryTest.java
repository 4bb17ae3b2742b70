package dev.lychgate.discovery;

import static dev.lychgate.testing.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.DiscoveredConfig;
import dev.lychgate.config.DiscoveryConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.EndpointReadiness;
import dev.lychgate.config.FileSourceConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.SourceConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.upstream.FoundEndpoint;
import dev.lychgate.upstream.SourceQuestion;
import dev.lychgate.upstream.SourceStatus;
import dev.lychgate.upstream.UpstreamStates;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rules for the reports of all sources, with a source under the control of the test. */
class SourceDiscoveryTest {
    private static final SourceConfig SETTINGS = SourceConfig.of(new FileSourceConfig("a"));
    private static final SourceConfig OTHER_SETTINGS = SourceConfig.of(new FileSourceConfig("b"));

    /** The watches of the source, by settings and service. */
    private final Map<String, EndpointSource.Listener> listeners = new ConcurrentHashMap<>();

    private final List<String> closed = new CopyOnWriteArrayList<>();
    private final Map<LastSets.Service, LastSets.Kept> disk = new ConcurrentHashMap<>();
    private final AtomicInteger changes = new AtomicInteger();
    private final UpstreamStates states = new UpstreamStates(1);
    private final SourceDiscovery discovery = new SourceDiscovery(new Kinds(), changes::incrementAndGet);

    private final class Kinds implements EndpointSources {
        @Override
        public EndpointSource open(String name, SourceConfig settings) {
            if (name.equals("refused")) {
                throw new ConfigException("file.directory", "a", "another one");
            }
            String at = settings.file() == null ? "" : settings.file().directory();
            return new EndpointSource() {
                @Override
                public Watch watch(SourceQuestion question, Listener listener) {
                    listeners.put(at + "/" + question.service(), listener);
                    return () -> closed.add(at + "/" + question.service());
                }

                @Override
                public void close() {
                    closed.add(at);
                }
            };
        }

        @Override
        public LastSets lastSets(Path directory) {
            return new LastSets() {
                @Override
                public @Nullable Kept read(Service service) throws IOException {
                    if (service.name().equals("broken")) {
                        throw new IOException("malformed");
                    }
                    return disk.get(service);
                }

                @Override
                public void write(Service service, Kept set) {
                    disk.put(service, set);
                }
            };
        }
    }

    @AfterEach
    void close() {
        discovery.close();
    }

    private static UpstreamConfig upstream(String service, SourceConfig settings) {
        return UpstreamConfig.of("api", new EndpointConfig("10.9.9.9", 9))
                .withDiscovered(List.of(new DiscoveredConfig("lan", service).at(settings)))
                .withEndpoints(List.of());
    }

    private static DiscoveryConfig rules(@Nullable String state) {
        return new DiscoveryConfig(Map.of(), state, new Percent(50), Duration.ofHours(1));
    }

    private EndpointSource.Listener start(String service, @Nullable String state) throws Exception {
        discovery.begin(List.of(upstream(service, SETTINGS)), states, rules(state));
        discovery.adopt(List.of(upstream(service, SETTINGS)), states, rules(state));
        return listener("a/" + service);
    }

    private EndpointSource.Listener listener(String of) throws Exception {
        eventually(() -> assertThat(listeners).containsKey(of));
        return requireNonNull(listeners.get(of));
    }

    private static List<FoundEndpoint> endpoints(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(port -> FoundEndpoint.of("10.0.0.1", port))
                .toList();
    }

    private List<Integer> ports() {
        return ports(upstream("s", SETTINGS));
    }

    private List<Integer> ports(UpstreamConfig of) {
        return states.of("api").resolve(of).endpoints().stream()
                .map(each -> each.address().port())
                .toList();
    }

    private SourceStatus status() {
        return discovery.statuses().get(0);
    }

    @Test
    void appliesTheFirstReportAtOnceAndLaterOnesTogether() throws Exception {
        EndpointSource.Listener source = start("s", null);
        source.found(endpoints(1));
        eventually(() -> assertThat(ports()).containsExactly(1));
        eventually(() -> assertThat(changes).hasValue(1));

        for (int i = 2; i <= 50; i++) {
            source.found(endpoints(i));
        }

        eventually(() -> assertThat(ports()).hasSize(50));
        assertThat(changes.get()).isLessThan(50);
        assertThat(status().answered()).isEqualTo(50);
        assertThat(status().fault()).isNull();
    }

    @Test
    void keepsTheLastSetAfterEmptyReportsAndFailures() throws Exception {
        EndpointSource.Listener source = start("s", null);
        source.found(endpoints(2));
        eventually(() -> assertThat(ports()).containsExactly(1, 2));
        eventually(() -> assertThat(status().confirmed()).isNotNull());
        Instant confirmed = status().confirmed();

        source.found(List.of());
        eventually(() -> assertThat(status().fault()).isEqualTo("the source reports no endpoints"));
        source.found(List.of(FoundEndpoint.of("10.0.0.1", 1, 1, "", 0, EndpointReadiness.DRAINING, Map.of())));
        source.confirmed();
        eventually(() -> assertThat(status().fault()).isEqualTo("the source reports no ready endpoint"));
        source.failed("no response");
        eventually(() -> assertThat(status().fault()).isEqualTo("no response"));

        assertThat(ports()).containsExactly(1, 2);
        assertThat(status().confirmed()).isEqualTo(confirmed);
        assertThat(status().empty()).isEqualTo(2);
        assertThat(status().failed()).isEqualTo(1);

        source.found(endpoints(2));
        eventually(() -> assertThat(status().fault()).isNull());
        source.failed("no response");
        source.confirmed();
        eventually(() -> assertThat(status().failed()).isEqualTo(2));
        eventually(() -> assertThat(status().fault()).isNull());
    }

    @Test
    void limitsTheRemovalOfEndpoints() throws Exception {
        EndpointSource.Listener source = start("s", null);
        source.found(endpoints(10));
        eventually(() -> assertThat(ports()).hasSize(10));

        source.found(endpoints(2));

        eventually(() -> assertThat(ports()).hasSize(5));
        eventually(() -> assertThat(status().retained()).isEqualTo(3));
    }

    @Test
    void usesTheSetOfAnEarlierProcessUntilTheSourceResponds() throws Exception {
        LastSets.Service service = new LastSets.Service("api", "lan", "s");
        Instant earlier = Instant.parse("2026-01-02T03:04:05Z");
        disk.put(service, new LastSets.Kept(earlier, endpoints(2)));
        EndpointSource.Listener source = start("s", "state");
        eventually(() -> assertThat(ports()).containsExactly(1, 2));
        assertThat(status().stored()).isTrue();
        assertThat(status().confirmed()).isEqualTo(earlier);

        source.found(endpoints(3));

        eventually(() -> assertThat(ports()).containsExactly(1, 2, 3));
        eventually(() -> assertThat(status().stored()).isFalse());
        eventually(
                () -> assertThat(requireNonNull(disk.get(service)).endpoints()).isEqualTo(endpoints(3)));
    }

    @Test
    void startsWithoutASetThatCannotBeRead() throws Exception {
        start("broken", "state").found(endpoints(1));
        eventually(() -> assertThat(ports(upstream("broken", SETTINGS))).containsExactly(1));
    }

    @Test
    void lendsTheEndpointsToAQuestionWithOtherSettingsOfTheSource() throws Exception {
        start("s", null).found(endpoints(2));
        eventually(() -> assertThat(ports()).hasSize(2));

        UpstreamConfig changed = upstream("s", OTHER_SETTINGS);
        discovery.adopt(List.of(changed), states, rules(null));

        listener("b/s");
        assertThat(ports(changed)).containsExactly(1, 2);
        eventually(() -> assertThat(ports()).isEmpty());
        eventually(() -> assertThat(closed).contains("a/s", "a"));
    }

    @Test
    void completesTheFirstFutureAfterAFailure() throws Exception {
        var first = discovery.begin(List.of(upstream("s", SETTINGS)), states, null);
        assertThat(first.get(0)).isNotDone();

        listener("a/s").failed("no response");

        first.get(0).get();
    }

    @Test
    void namesTheKeyOfARefusedSource() {
        UpstreamConfig refused = UpstreamConfig.of("api", new EndpointConfig("10.9.9.9", 9))
                .withDiscovered(List.of(new DiscoveredConfig("refused", "s").at(SETTINGS)));
        assertThatThrownBy(() -> discovery.begin(List.of(refused), states, null))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("discovery.sources.refused.file.directory: a (expected: another one)");
    }
}
