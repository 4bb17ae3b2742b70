package dev.lychgate.server.recording;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RecordConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeInputs;
import dev.lychgate.filters.testing.OfflineExchange;
import dev.lychgate.filters.testing.OriginResponse;
import dev.lychgate.filters.testing.SentRequest;
import dev.lychgate.filters.testing.SimulatedOrigins;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.generation.Generation;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.RequestHead;
import dev.lychgate.loop.MemoryBudget;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Selection, memory and files of recordings. */
@Tag("slow")
class FullRecorderTest {
    private static final RecordConfig.Rule ALL = new RecordConfig.Rule(null, null, false, null);
    private static final RecordConfig.Rule ERRORS = new RecordConfig.Rule(null, null, true, null);

    @TempDir
    Path home = Path.of("");

    private final SplittableRandom random = new SplittableRandom(1);

    private Path file() {
        return home.resolve("traffic.rec");
    }

    private RecordConfig config(RecordConfig.Rule rule) {
        return new RecordConfig(
                file().toString(),
                List.of(rule),
                new RecordConfig.Redact(List.of(), List.of(), List.of()),
                ByteSize.ofKiB(64),
                null,
                ByteSize.ofMiB(1));
    }

    private record Origin(int status) implements SimulatedOrigins {
        @Override
        public @Nullable GatewayError refusal(String upstream) {
            return null;
        }

        @Override
        public OriginResponse answer(String upstream, SentRequest request) {
            return OriginResponse.of(status).body("done");
        }
    }

    private void exchange(FullRecorder recorder, int status, String id) {
        byte[] body = new byte[40_000];
        random.nextBytes(body);
        RequestHead head = new RequestHead(
                HttpMethod.POST,
                false,
                "/",
                null,
                "shop.example",
                DefaultHttpHeadersFactory.headersFactory().newHeaders());
        head.path("/");
        head.frame(BodyFraming.LENGTH, body.length);
        GatewayConfig config = new GatewayConfig(
                1,
                Transport.NIO,
                GatewayConfig.DEFAULT_DRAIN,
                List.of(ListenerConfig.of("main", new BindAddress("127.0.0.1", 0))),
                List.of(RouteConfig.proxy("all", MatchConfig.ANY, "shop")),
                Map.of("shop", UpstreamConfig.of("shop", OfflineExchange.endpoint("shop"))),
                null,
                AccessLogConfig.DEFAULT);
        new OfflineExchange(
                        head,
                        body,
                        InetAddress.getLoopbackAddress(),
                        "main",
                        false,
                        id,
                        new ExchangeInputs(Instant.ofEpochMilli(1), 7))
                .run(Generation.first(config, FilterSet.EMPTY, 1), new Origin(status), recorder, begun -> {});
    }

    @Test
    void recordsWhatItsRulesSelectAndReturnsAllMemory() throws Exception {
        MemoryBudget budget = new MemoryBudget(64 << 20);
        FullRecorder recorder = FullRecorder.start(config(ERRORS), budget);
        exchange(recorder, 200, "works");
        exchange(recorder, 503, "fails");
        recorder.close();

        assertThat(recorder.recorded()).isEqualTo(1);
        assertThat(recorder.dropped()).isZero();
        assertThat(budget.held()).isZero();
        assertThat(Recordings.ids(file(), null)).containsExactly("fails");
    }

    @Test
    void dropsAndCountsExchangesWithoutMemory() throws Exception {
        MemoryBudget budget = new MemoryBudget(60_000);
        FullRecorder recorder = FullRecorder.start(config(ALL), budget);
        for (int i = 0; i < 10; i++) {
            exchange(recorder, 200, "id-" + i);
        }
        recorder.close();

        assertThat(recorder.dropped()).isEqualTo(10);
        assertThat(budget.held()).isZero();
        assertThat(Recordings.ids(file(), null)).isEmpty();
    }

    @Test
    void aFullRecordingBecomesTheOlderPart() throws Exception {
        FullRecorder recorder = FullRecorder.start(config(ALL), new MemoryBudget(64 << 20));
        for (int i = 0; i < 40; i++) {
            exchange(recorder, 200, "id-" + i);
            long count = i + 1L;
            eventually(() -> assertThat(recorder.recorded()).isEqualTo(count));
        }
        recorder.close();

        List<String> older = Recordings.ids(home.resolve("traffic.rec.1"), null);
        List<String> newer = Recordings.ids(file(), null);
        assertThat(older).isNotEmpty();
        assertThat(newer).endsWith("id-39");
        assertThat(Files.size(file()) + Files.size(home.resolve("traffic.rec.1")))
                .isLessThan(1 << 20);
    }

    @Test
    void keepsADamagedRecordingUnderAnotherName() throws Exception {
        Recordings.write(file(), null, "one", "two");
        byte[] damaged = Files.readAllBytes(file());
        damaged[RecordingFormat.HEADER + RecordingFormat.BLOCK_HEADER + 3] ^= 1;
        Files.write(file(), damaged);

        FullRecorder recorder = FullRecorder.start(config(ALL), new MemoryBudget(64 << 20));
        exchange(recorder, 200, "three");
        recorder.close();

        assertThat(Recordings.ids(file(), null)).containsExactly("three");
        try (var files = Files.list(home)) {
            assertThat(files.filter(each -> each.toString().endsWith(".unusable")))
                    .singleElement()
                    .satisfies(kept -> assertThat(kept).hasBinaryContent(damaged));
        }
    }

    @Test
    void anExchangeIsDroppedIfTheFileFails() throws Exception {
        FullRecorder recorder = FullRecorder.start(config(ALL), new MemoryBudget(64 << 20));
        // The older part can't be replaced.
        Files.createDirectories(home.resolve("traffic.rec.1/occupied"));
        for (int i = 0; i < 40; i++) {
            exchange(recorder, 200, "id-" + i);
        }
        recorder.close();

        assertThat(recorder.dropped()).isPositive();
        assertThat(Recordings.ids(file(), null)).isNotEmpty();
    }

    @Test
    void reportsThePlaceOfAMalformedPredicate() {
        MatchConfig malformed = new MatchConfig(List.of(), "/a/{id", List.of(), Map.of(), Map.of(), List.of(), null);

        assertThat(RecordingRule.faults(config(new RecordConfig.Rule(malformed, null, false, null))))
                .singleElement()
                .satisfies(fault -> assertThat(fault.key()).isEqualTo("record.rules[0].match.path"));
    }

    private void assertRefused(RecordConfig config, String message) {
        assertThatThrownBy(() -> FullRecorder.start(config, new MemoryBudget(64 << 20)))
                .isInstanceOfSatisfying(
                        StartFailure.class,
                        failure -> assertThat(failure.exitCode()).isEqualTo(StartFailure.UNUSABLE_SETTINGS))
                .hasMessage("record: " + message);
    }

    private List<Path> files() throws IOException {
        try (var files = Files.list(home)) {
            return files.sorted().toList();
        }
    }

    @Test
    void aSecondGatewayIsRefusedAndTheFirstContinues() throws Exception {
        FullRecorder first = FullRecorder.start(config(ALL), new MemoryBudget(64 << 20));
        exchange(first, 200, "one");
        eventually(() -> assertThat(first.recorded()).isEqualTo(1));
        List<Path> before = files();

        assertRefused(config(ALL), file() + ": another process records into this file");

        assertThat(files()).isEqualTo(before);
        exchange(first, 200, "two");
        first.close();
        assertThat(Recordings.ids(file(), null)).containsExactly("one", "two");
        FullRecorder.start(config(ALL), new MemoryBudget(64 << 20)).close();
    }

    @Test
    void aGatewayWithAFullRecordingKeepsItsLock() throws Exception {
        FullRecorder first = FullRecorder.start(config(ALL), new MemoryBudget(64 << 20));
        for (int i = 0; !Files.exists(home.resolve("traffic.rec.1")); i++) {
            exchange(first, 200, "id-" + i);
            long count = i + 1L;
            eventually(() -> assertThat(first.recorded()).isEqualTo(count));
        }

        assertRefused(config(ALL), file() + ": another process records into this file");

        first.close();
    }

    @Test
    void refusesToStartWithAFileThatIsNoRecording() throws Exception {
        Files.writeString(file(), "notes of another program, longer than the header of a recording");

        assertRefused(config(ALL), file() + ": not a recording of Lychgate");

        assertThat(file()).content().startsWith("notes");
    }

    @Test
    void refusesToStartWithARecordingOfAnotherVersion() throws Exception {
        Recordings.write(file(), null, "one");
        byte[] later = Files.readAllBytes(file());
        later[RecordingFormat.MAGIC.length + 1] = 2;
        Files.write(file(), later);
        List<Path> before = files();

        assertRefused(config(ALL), file() + ": version 2 with flags 0 (expected: version 1)");

        assertThat(file()).hasBinaryContent(later);
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void refusesToStartWithoutItsKey() {
        String key = home.resolve("record.key").toString();
        RecordConfig.Redact none = new RecordConfig.Redact(List.of(), List.of(), List.of());

        assertRefused(
                new RecordConfig(file().toString(), List.of(ALL), none, ByteSize.ofKiB(64), key, ByteSize.ofMiB(1)),
                key + ": does not exist");
    }
}
