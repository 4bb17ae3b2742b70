package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.access.AccessSet;
import dev.lychgate.access.AuthenticateSection;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AccessConfig;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.AddressListConfig;
import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.AuthenticateConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.CacheConfig;
import dev.lychgate.config.CacheMemoryConfig;
import dev.lychgate.config.Cidr;
import dev.lychgate.config.ClientProtectionConfig;
import dev.lychgate.config.ClientsConfig;
import dev.lychgate.config.CompareConfig;
import dev.lychgate.config.DelayRange;
import dev.lychgate.config.DiscoveredConfig;
import dev.lychgate.config.DiscoveryConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.FaultConfig;
import dev.lychgate.config.FaultEffects;
import dev.lychgate.config.FaultScope;
import dev.lychgate.config.FaultsConfig;
import dev.lychgate.config.FileSourceConfig;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.FleetConfig;
import dev.lychgate.config.FleetStoreConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.HecConfig;
import dev.lychgate.config.HistoryConfig;
import dev.lychgate.config.HistoryOtlpConfig;
import dev.lychgate.config.LifecycleConfig;
import dev.lychgate.config.LimitConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.MetricsConfig;
import dev.lychgate.config.MetricsPush;
import dev.lychgate.config.MirrorConfig;
import dev.lychgate.config.OverloadConfig;
import dev.lychgate.config.PoliciesConfig;
import dev.lychgate.config.Propagation;
import dev.lychgate.config.RateLimitConfig;
import dev.lychgate.config.RecordConfig;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.SampleRate;
import dev.lychgate.config.SourceConfig;
import dev.lychgate.config.Stickiness;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.config.TracingConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.config.WebhookConfig;
import dev.lychgate.filter.Authentication;
import dev.lychgate.filter.Authenticator;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.server.admin.FleetSource;
import dev.lychgate.server.admin.FleetState;
import dev.lychgate.server.admin.Proposals;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.server.history.EntryReceiver;
import dev.lychgate.server.metrics.Family;
import dev.lychgate.server.metrics.PrometheusText;
import dev.lychgate.server.otlp.ChangeEvents;
import dev.lychgate.server.push.Sender;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.RefusingPort;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.WebSockets;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class DocumentedAdminTest {
    private static final UpstreamResilience GUARDED = new UpstreamResilience(
            RetryBudgetConfig.DEFAULT, BreakerConfig.DEFAULT, new BulkheadConfig(100), LimitConfig.DEFAULT);

    private static final FaultConfig BRIEF_DELAY = new FaultConfig(
            "brief",
            new FaultScope(MatchConfig.ANY, List.of("down"), SampleRate.ALL, new Stickiness.Request()),
            new FaultEffects(DelayRange.parse("1ms"), null, null, false, null),
            Instant.parse("2099-12-01T12:00:00Z"));

    @Test
    void documentsEveryPageOfTheAdminListenerAndEveryMetric(@TempDir Path directory) throws Exception {
        String log = directory.resolve("access.log").toString();
        Path endpoints = Files.createDirectories(directory.resolve("endpoints"));
        Files.writeString(endpoints.resolve("api.json"), "[{ \"targets\": [\"127.0.0.1:9\"] }]");
        SourceConfig files = SourceConfig.of(new FileSourceConfig(endpoints.toString()));
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> {
                    if (request.has("upgrade")) {
                        c.send(WebSockets.granted(request)).halfClose();
                        c.awaitEnd();
                    } else {
                        c.send(Responses.of(request.has("x-lychgate-mirror") ? 404 : 200, "hello"));
                    }
                });
                RefusingPort refusing = new RefusingPort();
                ChangeHistory history = history(directory, refusing.address().getPort());
                Lychgate gateway = Lychgate.start(authenticated(Lychgate.builder()
                        .listener(ListenerConfig.of("main", new BindAddress("127.0.0.1", 0))
                                .withClientProtection(ClientProtectionConfig.NONE.with("connections", 5000)))
                        .listener(ListenerConfig.of("secure", new BindAddress("127.0.0.1", 0))
                                .withTls(TlsConfig.of(Certificates.pem(
                                        directory,
                                        "site",
                                        Certificates.authority("Test").issue("lychgate.test")))))
                        .upstream(UpstreamConfig.of("origin", EndpointConfig.parse("http://localhost:" + origin.port()))
                                .withResilience(GUARDED))
                        .policies(new PoliciesConfig(
                                Map.of("flood", RateLimitConfig.of("100/s")),
                                Map.of("bad", new AddressListConfig(List.of(Cidr.parse("192.0.2.0/24")), List.of())),
                                ClientsConfig.DEFAULT,
                                AccessConfig.NONE,
                                CacheMemoryConfig.DEFAULT,
                                DiscoveryConfig.of(Map.of("files", files))))
                        .upstream(UpstreamConfig.of("found", EndpointConfig.parse("http://127.0.0.1:9"))
                                .withDiscovered(List.of(new DiscoveredConfig("files", "api").at(files))))
                        .upstream(
                                "down", "http://127.0.0.1:" + refusing.address().getPort())
                        .route("down", "/down", "down")
                        .route(RouteConfig.proxy("api", MatchConfig.path("/**"), "origin")
                                .withWebSocket(WebSocketConfig.DEFAULT)
                                .withMirror(MirrorConfig.to("shadow")
                                        .withMethods("GET", "POST")
                                        .withBody(new ByteSize(0))
                                        .withCompare(CompareConfig.DEFAULT)))
                        .route(RouteConfig.proxy("cached", MatchConfig.path("/cached"), "origin")
                                .withCache(CacheConfig.DEFAULT))
                        .upstream("shadow", "http://127.0.0.1:" + origin.port())
                        .filters(FiltersConfig.global(FilterConfig.of("request-id")))
                        .accessLog(new AccessLogConfig(AccessLogConfig.Format.JSON, log, 64)
                                .withHec(HecConfig.of(
                                        URI.create("http://127.0.0.1:"
                                                + refusing.address().getPort()),
                                        "a-token")))
                        .metrics(new MetricsConfig(
                                false,
                                MetricsPush.to(URI.create(
                                        "http://127.0.0.1:" + refusing.address().getPort() + "/api/put")),
                                null))
                        .admin("127.0.0.1:0")
                        .config()
                        .withOverload(OverloadConfig.DEFAULT)
                        .withRecording(new RecordConfig(
                                directory.resolve("traffic.rec").toString(),
                                List.of(),
                                new RecordConfig.Redact(List.of(), List.of(), List.of()),
                                ByteSize.ofKiB(64),
                                null,
                                ByteSize.ofMiB(1)))
                        .withLifecycle(
                                ofNode(LifecycleConfig.DEFAULT.with(new FaultsConfig(true, List.of(BRIEF_DELAY)))))
                        .withTracing(new TracingConfig(
                                new SampleRate(0),
                                TracingConfig.Accept.TRUSTED,
                                List.of(Propagation.W3C),
                                "test",
                                new TracingConfig.Otlp(
                                        URI.create("http://127.0.0.1:"
                                                + refusing.address().getPort()),
                                        Map.of(),
                                        Duration.ofSeconds(1),
                                        64)))));
                RawClient client = connect(gateway.port("main"));
                RawClient webSocket = connect(gateway.port("main"));
                RawClient admin = connect(gateway.adminPort())) {
            client.get("/");
            client.get("/down");
            // A copy with a difference, and a dropped one.
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
                    .readResponse();
            eventually(() -> assertThat(get(admin, "/mirrors").body()).contains("200 -> 404"));
            try (RawClient plain = connect(gateway.port("secure"))) {
                assertThat(plain.get("/").status()).isEqualTo(400);
            }
            webSocket.send(WebSockets.handshake("/"));
            webSocket.readHead();
            webSocket.expectClosed();
            gateway.follows(new NoFiles(history, new OneNode()), new NoProposals());

            List<String> paths = Pattern.compile("\"(/[a-z./-]*)\":")
                    .matcher(get(admin, "/").body())
                    .results()
                    .map(match -> match.group(1))
                    .toList();
            assertThat(MarkdownTable.names("admin.md")).containsExactlyElementsOf(paths);
            for (String path : paths) {
                if (Set.of("/hystrix.stream", "/explain", "/generations/diff", "/exchanges/one", "/exchanges/recording")
                        .contains(path)) {
                    // The first one never ends, and the others have parameters.
                    continue;
                }
                assertThat(get(admin, path).status()).as(path).isEqualTo(200);
            }
            assertThat(get(admin, "/upstreams").body())
                    .containsPattern("\"names\":\\[\\{\"name\":\"localhost\",\"answered\":[1-9]\\d*,\"failed\":0}]");
            // An exchange is counted after its response was sent.
            eventually(
                    () -> holdToPage(PrometheusText.read(get(admin, "/metrics").body())));
            // The names of MBeans and of the series of OpenTSDB and OTLP.
            assertThat(gateway.metrics().figures().get(30, TimeUnit.SECONDS).families().stream()
                            .filter(family -> !family.samples().isEmpty())
                            .map(Family::name))
                    .containsExactlyInAnyOrderElementsOf(MarkdownTable.names("metrics.md"));
        }
    }

    /** Returns an assembly with an authenticator that finds no credentials, which are optional. */
    private static FilterAssembly authenticated(GatewayConfig config) {
        Authenticator none = new Authenticator() {
            @Override
            public @Nullable String challenge() {
                return null;
            }

            @Override
            public CompletionStage<Authentication> authenticate(FilterExchange exchange) {
                return CompletableFuture.completedFuture(Authentication.absent());
            }
        };
        AuthenticateSection section = new AuthenticateSection(
                new AuthenticateConfig(true, List.of(FilterConfig.of("absent")), Map.of()),
                List.of(new AuthenticateSection.Named("absent", none)));
        FilterSet filters = FilterAssembly.of(config, Map.of()).filters();
        return new FilterAssembly(
                config, filters.with(new AccessSet(section, Map.of(), Map.of(), List.of(), Map.of())));
    }

    /** Returns the settings of a node of a fleet. */
    private static LifecycleConfig ofNode(LifecycleConfig of) {
        FleetConfig fleet = new FleetConfig(
                "prod", FleetStoreConfig.ofDirectory("store"), List.of("release.pub"), "state", null, Map.of());
        return new LifecycleConfig(of.stall(), of.watch(), of.gate(), of.faults(), of.history(), fleet);
    }

    /** Returns a history with a webhook and a collector. */
    private static ChangeHistory history(Path directory, int port) {
        HistoryConfig config =
                HistoryConfig.DEFAULT.withWebhook(WebhookConfig.to(URI.create("http://127.0.0.1:" + port), null, null));
        HistoryOtlpConfig otlp = HistoryOtlpConfig.to(URI.create("http://127.0.0.1:" + port));
        EntryReceiver events = ChangeEvents.start(otlp, "lychgate", new Sender("1", "localhost", "1"));
        return ChangeHistory.start(directory.resolve("gateway.yml"), config, List.of(events));
    }

    @Test
    void everyCommandOnThePageSucceeds() throws Exception {
        Pattern command = Pattern.compile(
                "^curl -s (-X POST )?(?:-H ['\"]([^:]+): ([^'\"]+)['\"] )?'?http://127.0.0.1:8081(/[^']*)'?$");
        List<String> lines = Snippets.shell("admin.md");
        assertThat(lines).hasSizeGreaterThan(3);
        try (Lychgate gateway = Lychgate.builder()
                        .listener("main", "127.0.0.1:0")
                        .upstream("api", "http://127.0.0.1:9")
                        .route("api", "/api/**", "api")
                        .admin("127.0.0.1:0")
                        .start();
                RawClient admin = connect(gateway.adminPort())) {
            for (String line : lines) {
                Matcher curl = command.matcher(line);
                assertThat(curl.matches()).as(line).isTrue();
                String field = curl.group(2) == null ? "" : curl.group(2) + ": " + curl.group(3) + "\r\n";
                RawMessage answer = admin.send((curl.group(1) == null ? "GET " : "POST ") + curl.group(4)
                                + " HTTP/1.1\r\nHost: 127.0.0.1:8081\r\nContent-Length: 0\r\n" + field + "\r\n")
                        .readResponse();
                assertThat(answer.status()).as(line).isEqualTo(200);
            }
        }
    }

    @Test
    void theExampleWithAPublicAddressAuthenticatesClients() throws Exception {
        AdminConfig admin = new ConfigReader(name -> null)
                .read("admin.md", Snippets.yaml("admin.md").get(0))
                .config()
                .admin();

        assertThat(admin).isNotNull();
        assertThat(admin.isLocal()).isFalse();
        assertThat(admin.asks()).isTrue();
        assertThat(admin.warnings()).isEmpty();
    }

    /** A fleet of which only this node is known. */
    private static final class OneNode implements FleetSource {
        @Override
        public FleetState node() {
            return new FleetState("a", "prod", 1, "0".repeat(64), "", "", List.of(), "", Map.of());
        }

        @Override
        public Space space() {
            return new Space("prod", 1, null, null, null, null, "alice", "created", List.of());
        }
    }

    private static final class NoProposals implements Proposals {
        @Override
        public CompletableFuture<Result> dryRun() {
            return CompletableFuture.completedFuture(new Result.Refused(List.of("none")));
        }

        @Override
        public CompletableFuture<Result> compare() {
            return dryRun();
        }

        @Override
        public int abandonedTests() {
            return 0;
        }
    }

    private static void holdToPage(PrometheusText metrics) throws Exception {
        Map<String, String> types = new HashMap<>();
        for (List<String> row : MarkdownTable.rows("metrics.md")) {
            String name = row.get(0);
            assertThat(types.put(name, row.get(1))).as(name).isNull();
            Set<String> labels = new TreeSet<>(Arrays.asList(row.get(2).split(", *")));
            labels.remove("");
            assertThat(metrics.labelsOf(name)).as(name).isEqualTo(labels);
        }
        assertThat(types).isEqualTo(metrics.types());
    }

    private static RawClient connect(int port) throws Exception {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private static RawMessage get(RawClient client, String target) throws Exception {
        return client.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .readResponse();
    }
}
