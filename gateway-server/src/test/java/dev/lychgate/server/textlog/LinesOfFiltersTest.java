package dev.lychgate.server.textlog;

import static dev.lychgate.testing.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.lychgate.Lychgate;
import dev.lychgate.LychgateBuilder;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.server.applog.OwnLogback;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Log lines of filters by any logger, and their request ids. */
class LinesOfFiltersTest {
    /** A logger of a library without a relation to the gateway. */
    private static final Logger THEIRS = LoggerFactory.getLogger("com.example.Stock");

    private final LoggerContext ours = new LoggerContext();
    private final JsonEncoder json = new JsonEncoder();
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Queue<String> objects = new ConcurrentLinkedQueue<>();
    private final List<ch.qos.logback.classic.Logger> loggers = List.of(
            logger("com.example.Stock"),
            logger("dev.lychgate.filter"),
            logger("dev.lychgate.exchange.filtering.FilterFailures"));

    private final TextEncoder text = new TextEncoder();

    /** Like the appender of the process: on the thread that logs. */
    private final AppenderBase<ILoggingEvent> paper = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            // A test that has found a line also finds its object.
            objects.add(new String(json.encode(event), UTF_8));
            lines.add(new String(text.encode(event), UTF_8).replaceFirst("^\\S+ ", ""));
        }
    };

    private static ch.qos.logback.classic.Logger logger(String name) {
        return (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(name);
    }

    @BeforeEach
    void listen() throws Exception {
        OwnLogback.begin(ours, null);
        paper.start();
        loggers.forEach(logger -> {
            logger.setLevel(ch.qos.logback.classic.Level.INFO);
            logger.setAdditive(false);
            logger.addAppender(paper);
        });
    }

    @AfterEach
    void stopListening() {
        loggers.forEach(logger -> {
            logger.detachAppender(paper);
            logger.setAdditive(true);
            logger.setLevel(null);
        });
        ours.stop();
    }

    private static Lychgate gateway(Filter... filters) {
        LychgateBuilder builder = Lychgate.builder()
                .listener("main", "127.0.0.1:0")
                .filters(FiltersConfig.global(FilterConfig.of("request-id")))
                .workers(1)
                .route(new RouteConfig(
                        "api",
                        0,
                        MatchConfig.path("/**"),
                        RewriteConfig.NONE,
                        new RouteAction.Respond(200, Map.of(), "hello"),
                        RouteTimeouts.UNSET));
        for (Filter filter : filters) {
            builder.filter(filter);
        }
        return builder.start();
    }

    /**
     * Sends one request.
     *
     * @return its id
     */
    private static String get(Lychgate gateway) throws Exception {
        try (RawClient client =
                RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port("main")))) {
            RawMessage response = client.get("/");
            return response.value("x-request-id").orElseThrow();
        }
    }

    private void awaitLines(String... expected) throws Exception {
        eventually(() -> assertThat(lines)
                .map(line -> line.lines().findFirst().orElseThrow())
                .containsExactly(expected));
    }

    private static final class Outbound implements OutboundFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            THEIRS.info("on the loop");
            return exchange.proceed();
        }
    }

    @Test
    void onAnEventLoop() throws Exception {
        try (Lychgate gateway = gateway(new Outbound())) {
            String first = get(gateway);
            String second = get(gateway);

            awaitLines(
                    "INFO  Stock - " + first + " [api] on the loop", "INFO  Stock - " + second + " [api] on the loop");
            assertThat(objects.peek())
                    .contains("\"message\":\"on the loop\",\"request_id\":\"" + first + "\",\"route\":\"api\"}");
            THEIRS.info("on account of nobody");
            assertThat(lines).last().asString().endsWith("Stock - on account of nobody\n");
        }
    }

    private static final class Blocking implements InboundFilter, BlockingFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            THEIRS.info("on a thread that may wait");
            return exchange.proceed();
        }
    }

    private static final class BlockingOutbound implements OutboundFilter, BlockingFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            THEIRS.info("on the way back");
            return exchange.proceed();
        }
    }

    @Test
    void onAThreadOfABlockingFilter() throws Exception {
        try (Lychgate gateway = gateway(new Blocking(), new BlockingOutbound())) {
            String id = get(gateway);

            awaitLines(
                    "INFO  Stock - " + id + " on a thread that may wait",
                    "INFO  Stock - " + id + " [api] on the way back");
            assertThat(objects).last().asString().contains("\"request_id\":\"" + id + "\",\"route\":\"api\"}");
        }
    }

    private static final class Later implements OutboundFilter, AsyncFilter {
        @Override
        public CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
            THEIRS.info("at once");
            return CompletableFuture.supplyAsync(
                    () -> {
                        exchange.getLog().info("later, {}", "elsewhere");
                        return exchange.proceed();
                    },
                    task -> new Thread(task).start());
        }
    }

    @Test
    void onAnyThreadByTheLogOfTheExchange() throws Exception {
        try (Lychgate gateway = gateway(new Later())) {
            String id = get(gateway);

            awaitLines("INFO  Stock - " + id + " [api] at once", "INFO  Later - " + id + " [api] later, elsewhere");
            assertThat(objects)
                    .last()
                    .asString()
                    .contains("[api] later, elsewhere\",\"request_id\":\"" + id + "\",\"route\":\"api\"}");
        }
    }

    private static final class Transforming implements OutboundFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            exchange.getResponse().transformBody(new BodyTransform() {
                @Override
                public byte[] piece(byte[] piece) {
                    THEIRS.info("a piece");
                    return piece;
                }

                @Override
                public void close() {
                    THEIRS.info("closed");
                }
            });
            return exchange.proceed();
        }
    }

    @Test
    void inTransformsOfBodies() throws Exception {
        try (Lychgate gateway = gateway(new Transforming())) {
            String id = get(gateway);

            awaitLines("INFO  Stock - " + id + " [api] a piece", "INFO  Stock - " + id + " [api] closed");
        }
    }

    private static final class Failing implements OutboundFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            throw new IllegalStateException("on purpose");
        }
    }

    @Test
    void theGatewaysOwnLinesAboutThem() throws Exception {
        try (Lychgate gateway = gateway(new Failing())) {
            String id = get(gateway);

            eventually(() -> assertThat(lines)
                    .singleElement()
                    .asString()
                    .startsWith("ERROR FilterFailures - " + id + " [api] "));
            assertThat(objects)
                    .singleElement()
                    .asString()
                    .contains(",\"request_id\":\"" + id + "\",\"route\":\"api\",");
        }
    }
}
