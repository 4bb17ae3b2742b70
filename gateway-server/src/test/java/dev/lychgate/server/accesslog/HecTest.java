package dev.lychgate.server.accesslog;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import dev.lychgate.Lychgate;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.HecConfig;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.server.push.HttpPush;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The access log as events for Splunk's HTTP Event Collector, with failures of the collector. */
@Tag("slow")
class HecTest {
    private static final String TOKEN = "11111111-2222-3333-4444-555555555555";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final WireMockServer collector =
            new WireMockServer(options().bindAddress("127.0.0.1").dynamicPort().dynamicHttpsPort());
    private final ListAppender<ILoggingEvent> told = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(HttpPush.class);
    /** The timeout of one request to the collector. */
    private Duration timeout = Duration.ofSeconds(20);

    @BeforeEach
    void start() {
        collector.start();
        told.start();
        logger.addAppender(told);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(told);
        collector.stop();
    }

    private void answers(ResponseDefinitionBuilder response) {
        collector.resetMappings();
        collector.stubFor(any(anyUrl()).willReturn(response));
    }

    private static ResponseDefinitionBuilder success() {
        return aResponse().withStatus(200).withBody("{\"text\":\"Success\",\"code\":0}");
    }

    private HecConfig hec(URI url, ByteSize batch, ByteSize queue, boolean gzip, @Nullable String ca) {
        return new HecConfig(
                url,
                TOKEN,
                "web",
                "gate",
                "lychgate:access",
                "edge-1",
                batch,
                Duration.ofMillis(20),
                queue,
                timeout,
                PATIENCE,
                gzip,
                ca);
    }

    private HecConfig hec() {
        return hec(
                URI.create("http://127.0.0.1:" + collector.port()), ByteSize.ofKiB(4), ByteSize.ofMiB(1), true, null);
    }

    private static Lychgate gateway(ScriptedOrigin origin, AccessLogConfig log) {
        return Lychgate.builder()
                .listener("main", "127.0.0.1:0")
                .upstream("origin", "http://127.0.0.1:" + origin.port())
                .route("api", "/**", "origin")
                .accessLog(log)
                .start();
    }

    private static Lychgate gateway(ScriptedOrigin origin, HecConfig hec) {
        return gateway(origin, new AccessLogConfig(AccessLogConfig.Format.OFF, null, 65_536).withHec(hec));
    }

    private static ScriptedOrigin origin() throws Exception {
        return ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("hello")));
    }

    private static RawClient connect(Lychgate gateway) throws Exception {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port("main")));
    }

    /** Sends requests {@code /from} to {@code /to - 1}, each of which succeeds. */
    private static void send(RawClient client, int from, int to) throws Exception {
        for (int i = from; i < to; i++) {
            assertThat(client.get("/" + i).status()).as("request " + i).isEqualTo(200);
        }
    }

    /** Returns all events of requests with a 200 response. An event that arrived twice is there twice. */
    private List<JsonNode> events() throws Exception {
        List<JsonNode> events = new ArrayList<>();
        for (ServeEvent served : collector.getAllServeEvents()) {
            if (served.getResponse().getStatus() == 200) {
                byte[] body = served.getRequest().getBody();
                boolean packed = body.length > 1 && body[0] == 0x1f && (body[1] & 0xff) == 0x8b;
                byte[] plain = packed ? new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes() : body;
                try (MappingIterator<JsonNode> all =
                        new ObjectMapper().readerFor(JsonNode.class).readValues(plain)) {
                    all.forEachRemaining(events::add);
                }
            }
        }
        return events;
    }

    private Set<String> paths() throws Exception {
        Set<String> paths = new LinkedHashSet<>();
        events().forEach(event -> paths.add(event.at("/event/path").asText()));
        return paths;
    }

    private static double count(Lychgate gateway, String name) {
        return gateway.metrics().registry().get(name).functionCounter().count();
    }

    @Test
    void eventsArriveComplete() throws Exception {
        answers(success());
        try (ScriptedOrigin origin = origin();
                Lychgate gateway = gateway(origin, hec());
                RawClient client = connect(gateway)) {
            client.get("/a?token=hidden&b=c");
            send(client, 0, 100);
            eventually(() -> assertThat(paths()).hasSize(101));

            JsonNode first = events().stream()
                    .filter(e -> e.at("/event/path").asText().equals("/a"))
                    .findFirst()
                    .orElseThrow();
            assertThat(first.path("host").asText()).isEqualTo("edge-1");
            assertThat(first.path("source").asText()).isEqualTo("gate");
            assertThat(first.path("sourcetype").asText()).isEqualTo("lychgate:access");
            assertThat(first.path("index").asText()).isEqualTo("web");
            assertThat(first.path("time").asDouble())
                    .isBetween(System.currentTimeMillis() / 1000.0 - 600, System.currentTimeMillis() / 1000.0 + 1);
            assertThat(first.at("/event/query").asText()).isEqualTo("token=***&b=c");
            assertThat(first.at("/event/status").asInt()).isEqualTo(200);
            assertThat(first.at("/event/route").asText()).isEqualTo("api");
            assertThat(collector.getAllServeEvents()).allSatisfy(served -> {
                assertThat(served.getRequest().getUrl()).isEqualTo("/services/collector/event");
                assertThat(served.getRequest().getHeader("authorization")).isEqualTo("Splunk " + TOKEN);
                assertThat(served.getRequest().getHeader("content-encoding")).isEqualTo("gzip");
            });
            eventually(() ->
                    assertThat(count(gateway, "lychgate.access.log.hec.sent")).isEqualTo(101));
            assertThat(count(gateway, "lychgate.access.log.hec.dropped")).isZero();
        }
    }

    @Test
    void linesGoToAFileAndToTheCollector(@TempDir Path directory) throws Exception {
        answers(success());
        Path file = directory.resolve("access.log");
        try (ScriptedOrigin origin = origin();
                Lychgate gateway = gateway(
                        origin,
                        new AccessLogConfig(AccessLogConfig.Format.COMBINED, file.toString(), 1024).withHec(hec()));
                RawClient client = connect(gateway)) {
            // The end of the gateway waits only briefly for a collector, and the first request takes longest.
            send(client, 0, 10);
            eventually(() -> assertThat(paths()).hasSize(10));
            send(client, 10, 20);
        }
        assertThat(Files.readAllLines(file)).hasSize(20);
        assertThat(paths()).hasSize(20);
    }

    @Test
    void aBusyCollectorReceivesThemLaterWithoutEffectOnTraffic() throws Exception {
        answers(aResponse().withStatus(503).withHeader("Retry-After", "1").withBody("{\"code\":9}"));
        arriveLater();
    }

    @Test
    void aFailingCollectorReceivesThemLaterWithoutEffectOnTraffic() throws Exception {
        answers(aResponse().withStatus(500));
        arriveLater();
    }

    @Test
    void aStalledCollectorReceivesThemLaterWithoutEffectOnTraffic() throws Exception {
        timeout = Duration.ofSeconds(1);
        answers(success().withFixedDelay(20_000));
        arriveLater();
    }

    @Test
    void aCollectorThatResetsReceivesThemLaterWithoutEffectOnTraffic() throws Exception {
        answers(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER));
        arriveLater();
    }

    private void arriveLater() throws Exception {
        try (ScriptedOrigin origin = origin();
                Lychgate gateway = gateway(origin, hec());
                RawClient client = connect(gateway)) {
            send(client, 0, 150);
            eventually(() -> assertThat(count(gateway, "lychgate.access.log.hec.failures"))
                    .isPositive());
            send(client, 150, 300);
            answers(success());
            eventually(PATIENCE, () -> assertThat(paths()).hasSize(300));
            eventually(() ->
                    assertThat(count(gateway, "lychgate.access.log.hec.sent")).isEqualTo(300));
            assertThat(count(gateway, "lychgate.access.log.hec.dropped")).isZero();
        }
    }

    @Test
    void eventsBeyondTheQueueAreCountedWithoutWaiting() throws Exception {
        answers(aResponse().withStatus(500));
        HecConfig small = hec(
                URI.create("http://127.0.0.1:" + collector.port()), ByteSize.ofKiB(1), ByteSize.ofKiB(8), false, null);
        try (ScriptedOrigin origin = origin();
                Lychgate gateway = gateway(origin, small);
                RawClient client = connect(gateway)) {
            send(client, 0, 200);
            eventually(() -> assertThat(count(gateway, "lychgate.access.log.hec.dropped"))
                    .isPositive());
            answers(success());
            eventually(
                    PATIENCE,
                    () -> assertThat(count(gateway, "lychgate.access.log.hec.sent")
                                    + count(gateway, "lychgate.access.log.hec.dropped"))
                            .isEqualTo(200));
            assertThat(paths().size()).isEqualTo((int) count(gateway, "lychgate.access.log.hec.sent"));
        }
    }

    @Test
    void aWrongTokenIsReportedOnceWithoutTheToken() throws Exception {
        answers(aResponse().withStatus(403).withBody("{\"text\":\"Invalid token\",\"code\":4}"));
        try (ScriptedOrigin origin = origin();
                Lychgate gateway = gateway(origin, hec());
                RawClient client = connect(gateway)) {
            for (int i = 0; i < 3; i++) {
                int seen = collector.getAllServeEvents().size();
                send(client, i * 10, i * 10 + 10);
                eventually(() -> assertThat(collector.getAllServeEvents()).hasSizeGreaterThan(seen));
            }
            eventually(() -> assertThat(count(gateway, "lychgate.access.log.hec.dropped"))
                    .isEqualTo(30));
        }
        assertThat(told.list.stream().map(ILoggingEvent::getFormattedMessage))
                .singleElement()
                .asString()
                .contains("access-log-hec", "status 403")
                .doesNotContain(TOKEN);
    }

    @Test
    void theTokenIsNeverShown() {
        AccessLogConfig config = AccessLogConfig.DEFAULT.withHec(hec());

        assertThat(config.toString()).doesNotContain(TOKEN).contains("token=***");
        assertThat(Lychgate.builder()
                        .listener("main", "127.0.0.1:0")
                        .accessLog(config)
                        .config()
                        .toString())
                .doesNotContain(TOKEN);
    }

    @Test
    void anUnavailableCollectorDoesNotPreventTheEndOfTheGateway() throws Exception {
        HecConfig hec = hec();
        collector.stop();
        try (ScriptedOrigin origin = origin()) {
            Lychgate gateway = gateway(origin, hec);
            try (RawClient client = connect(gateway)) {
                send(client, 0, 10);
            }
            gateway.close();
            assertThat(count(gateway, "lychgate.access.log.hec.dropped")).isEqualTo(10);
        }
    }

    @Test
    void anUntrustedCollectorReceivesNothing(@TempDir Path directory) throws Exception {
        answers(success());
        String stranger = Certificates.authority("Stranger").writeCa(directory, "stranger.pem");
        HecConfig https = hec(
                URI.create("https://127.0.0.1:" + collector.httpsPort()),
                ByteSize.ofKiB(1),
                ByteSize.ofMiB(1),
                true,
                stranger);
        try (ScriptedOrigin origin = origin();
                Lychgate gateway = gateway(origin, https);
                RawClient client = connect(gateway)) {
            send(client, 0, 5);
            eventually(() -> assertThat(count(gateway, "lychgate.access.log.hec.failures"))
                    .isPositive());
            assertThat(collector.getAllServeEvents()).isEmpty();
        }
    }

    @Test
    void aTrustedCollectorReceivesThemOverTls(@TempDir Path directory) throws Exception {
        Certificates authority = Certificates.authority("Own");
        Certificates.store(directory, "collector", authority.issue("localhost"), "changeit");
        WireMockServer secure = new WireMockServer(options()
                .bindAddress("127.0.0.1")
                .httpDisabled(true)
                .dynamicHttpsPort()
                .keystorePath(directory.resolve("collector.p12").toString())
                .keystoreType("PKCS12")
                .keystorePassword("changeit")
                .keyManagerPassword("changeit"));
        secure.start();
        try {
            secure.stubFor(any(anyUrl()).willReturn(success()));
            HecConfig https = hec(
                    URI.create("https://localhost:" + secure.httpsPort()),
                    ByteSize.ofKiB(1),
                    ByteSize.ofMiB(1),
                    true,
                    authority.writeCa(directory, "ca.pem"));
            try (ScriptedOrigin origin = origin();
                    Lychgate gateway = gateway(origin, https);
                    RawClient client = connect(gateway)) {
                send(client, 0, 5);
                eventually(() -> assertThat(count(gateway, "lychgate.access.log.hec.sent"))
                        .isEqualTo(5));
            }
        } finally {
            secure.stop();
        }
    }

    @Test
    void unreadableCertificatesFailTheStart(@TempDir Path directory) throws Exception {
        Path empty = Files.writeString(directory.resolve("empty.pem"), "nothing\n");
        for (String file : List.of(directory.resolve("none.pem").toString(), empty.toString())) {
            HecConfig https = hec(URI.create("https://127.0.0.1:1"), ByteSize.ofKiB(1), ByteSize.ofMiB(1), true, file);
            assertThatThrownBy(() -> AccessLog.open(AccessLogConfig.DEFAULT.withHec(https)))
                    .isInstanceOf(StartFailure.class)
                    .hasMessageContaining("access-log.hec.ca")
                    .hasMessageNotContaining(TOKEN);
        }
    }
}
