package dev.lychgate.filters.groovy;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.lychgate.chain.LogMark;
import dev.lychgate.filter.FilterLog;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Log lines of scripts have the id of their request. */
class LogOfScriptsTest {
    /** A log line and the MDC of its thread. */
    private record Line(ILoggingEvent event, String text, LogMark of) {}

    private static final LogMark NOBODY = new LogMark("nobody", null);

    private final Queue<Line> lines = new ConcurrentLinkedQueue<>();
    private final List<Logger> loggers = List.of((Logger) LoggerFactory.getLogger("com.example.Script"), (Logger)
            LoggerFactory.getLogger("dev.lychgate.filter"));
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            // Copies the MDC of this thread.
            event.prepareForDeferredProcessing();
            LogMark here = LogMark.here();
            lines.add(new Line(event, event.getFormattedMessage(), here == null ? NOBODY : here));
        }
    };

    @BeforeEach
    void listen() {
        appender.start();
        loggers.forEach(logger -> {
            logger.setLevel(Level.INFO);
            logger.setAdditive(false);
            logger.addAppender(appender);
        });
    }

    @AfterEach
    void stopListening() {
        loggers.forEach(logger -> {
            logger.detachAppender(appender);
            logger.setAdditive(true);
            logger.setLevel(null);
        });
    }

    @Test
    void onAnEventLoopAndOnABlockingThread() throws Exception {
        try (BuiltFilters filters = Sources.build("inbound/Asks.groovy", """
                        filter { exchange ->
                            org.slf4j.LoggerFactory.getLogger('com.example.Script').info('asks')
                            exchange.log.info('asked {}', exchange.request.path)
                        }
                        """, "outbound/Waits.groovy", """
                        blocking { exchange ->
                            org.slf4j.LoggerFactory.getLogger('com.example.Script').info('waits')
                            exchange.log.info('waited')
                        }
                        """);
                GatewayWithFilters gateway = new GatewayWithFilters(filters)) {
            gateway.get("/stock");
            eventually(() -> assertThat(lines).hasSize(4));
        }

        List<Line> all = List.copyOf(lines);
        String id = all.get(0).of().requestId();
        assertThat(id).hasSizeGreaterThan(8);
        assertThat(all)
                .extracting(Line::text)
                .containsExactly("asks", id + " asked /stock", "waits", id + " [all] waited");
        assertThat(all.get(1).event().getKeyValuePairs())
                .extracting(pair -> pair.key + "=" + pair.value)
                .containsExactly(FilterLog.REQUEST_ID + "=" + id);
        assertThat(all.get(2).of()).as("it is no event loop").isEqualTo(NOBODY);
        assertThat(all.get(2).event().getMDCPropertyMap())
                .containsEntry(FilterLog.REQUEST_ID, id)
                .containsEntry(FilterLog.ROUTE, "all");
        assertThat(all.get(3).event().getKeyValuePairs())
                .extracting(pair -> pair.key + "=" + pair.value)
                .containsExactly(FilterLog.REQUEST_ID + "=" + id, FilterLog.ROUTE + "=all");
        assertThat(LogMark.here()).isNull();
    }
}
