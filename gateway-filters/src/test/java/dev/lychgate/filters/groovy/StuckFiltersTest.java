package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Blocking filters that never return, on all processors. */
@Tag("slow")
@Tag("each-jdk")
class StuckFiltersTest {
    private static final String GOES_ON = "lychgate.test.goes-on";

    private static final String STUCK = """
            timeout '300ms'
            applies { it.request.path == '/stuck' }
            blocking { exchange ->
                while (System.getProperty('lychgate.test.goes-on') != null) {
                    Thread.onSpinWait()
                }
                exchange.proceed()
            }
            """;

    private static final String GOOD = """
            applies { it.request.path == '/good' }
            blocking { it.request.headers['x-a'] = 'looked up' }
            """;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.lychgate.blocking.LingeringCalls");

    @BeforeEach
    void begin() {
        System.setProperty(GOES_ON, "yes");
        log.list = new CopyOnWriteArrayList<>();
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void end() {
        System.clearProperty(GOES_ON);
        logger.detachAppender(log);
    }

    @Test
    void doNotDelayOthersAndAreReported() throws Exception {
        int processors = Runtime.getRuntime().availableProcessors();
        ExecutorService clients = Executors.newFixedThreadPool(processors);
        try (BuiltFilters filters = Sources.build("inbound/stuck.groovy", STUCK, "inbound/good.groovy", GOOD);
                GatewayWithFilters gateway = new GatewayWithFilters(filters)) {
            for (int i = 0; i < processors; i++) {
                clients.submit(() -> gateway.get("/stuck"));
            }
            assertThat(gateway.get("/stuck").status()).isEqualTo(500);
            assertThat(gateway.get("/good").body()).isEqualTo("looked up");
            awaitLine("inbound filter stuck does not return");
            assertThat(log.list.get(0).getFormattedMessage())
                    .containsPattern("still occupies its thread, at stuck\\.groovy:[456];");
            assertThat(gateway.get("/good").body()).isEqualTo("looked up");

            gateway.apply(Sources.build("inbound/good.groovy", GOOD).everywhere());
            assertThat(gateway.get("/good").body()).isEqualTo("looked up");
        } finally {
            System.clearProperty(GOES_ON);
            clients.shutdown();
        }
        assertThat(clients.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    private void awaitLine(String part) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (log.list.stream().noneMatch(line -> line.getFormattedMessage().contains(part))) {
            assertThat(System.nanoTime()).as(part).isLessThan(end);
            Thread.sleep(20);
        }
    }
}
