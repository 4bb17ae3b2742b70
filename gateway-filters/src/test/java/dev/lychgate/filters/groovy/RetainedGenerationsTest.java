package dev.lychgate.filters.groovy;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** Warnings of generations that stay in memory after their end. */
@Tag("slow")
@Tag("each-jdk")
class RetainedGenerationsTest {
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(GenerationsAlive.class);
    private final GroovyFilters builder = new GroovyFilters();

    @BeforeEach
    void listen() {
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void detach() {
        logger.detachAppender(lines);
    }

    private List<String> warnings() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private void retire(String... filters) throws Exception {
        BuiltFilters built = builder.build(Sources.of(filters));
        built.tookOver();
        built.end();
        built.close();
    }

    @Test
    void namesTheThreadThatHoldsAGeneration() throws Exception {
        for (int i = 1; i <= 3; i++) {
            retire("inbound/leaking.groovy", """
                    def thread = new Thread({ while (true) { sleep(10_000) } }, 'leaking %d')
                    thread.daemon = true
                    thread.start()
                    filter { }
                    """.formatted(i));
        }
        eventually(() -> {
            System.gc();
            builder.alive().count();
            assertThat(warnings()).hasSize(1);
        });
        assertThat(warnings().get(0))
                .startsWith("3 retired generations of filters are still in memory after a garbage collection, probably"
                        + " because of a leak:")
                .contains("(inbound/leaking.groovy); held by ")
                .contains("thread 'leaking 1' at ", "thread 'leaking 2' at ", "thread 'leaking 3' at ");
        builder.alive().count();
        assertThat(warnings()).hasSize(1);
    }

    @Test
    void namesTheSharedStateThatHoldsAGeneration() throws Exception {
        BuiltFilters running = builder.build(Sources.of("inbound/all.groovy", all(0)));
        running.tookOver();
        for (int i = 1; i <= 3; i++) {
            retire("inbound/all.groovy", all(i));
        }
        BuiltFilters last = builder.build(Sources.of("inbound/all.groovy", all(4)));
        last.tookOver();
        running.close();
        eventually(() -> {
            System.gc();
            builder.alive().count();
            assertThat(warnings()).isNotEmpty();
        });
        assertThat(warnings().get(0)).endsWith("; held by shared state 'all' of inbound/all.groovy");
        last.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "System.properties.put('leak %d', new Own%1$d()) | system property 'leak 1'",
                "ManagementFactory.platformMBeanServer.registerMBean(new Own%d(), new ObjectName('leak:n=%1$d'))"
                        + " | MBean leak:n=1",
                "System.properties.put('leak %d', [new Own%1$d()] as Object[]) | unknown objects (no thread, shared state, system property or MBean);"
                        + " a heap dump shows whether exchanges in progress, thread locals or static fields refer to the classes",
            })
    void namesTheObjectOfTheProcessThatHoldsAGeneration(String leak, String holder) throws Exception {
        try {
            for (int i = 1; i <= 3; i++) {
                retire("inbound/leaking.groovy", """
                        import java.lang.management.ManagementFactory
                        import javax.management.ObjectName

                        interface Own%1$dMBean { int getCount() }
                        class Own%1$d implements Own%1$dMBean {
                            int getCount() { %1$d }
                        }
                        %2$s
                        filter { }
                        """.formatted(i, leak.formatted(i)));
            }
            eventually(() -> {
                System.gc();
                builder.alive().count();
                assertThat(warnings()).isNotEmpty();
            });
            assertThat(warnings().get(0)).contains("; held by ").contains(holder);
        } finally {
            System.getProperties().keySet().removeIf(key -> key.toString().startsWith("leak "));
            for (ObjectName bean :
                    ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName("leak:*"), null)) {
                ManagementFactory.getPlatformMBeanServer().unregisterMBean(bean);
            }
        }
    }

    private static String all(int number) {
        return """
                class Own%1$d {}
                def all = shared('all') { new java.util.concurrent.ConcurrentHashMap<Integer, Object>() }
                all.put(%1$d, new Own%1$d())
                filter { all.size() }
                """.formatted(number);
    }

    @Test
    void doesNotWarnOfGenerationsThatAreUnloaded() throws Exception {
        for (int i = 1; i <= 10; i++) {
            retire("inbound/a.groovy", "filter { it.request.headers['x-a'] = " + i + " }");
        }
        eventually(() -> {
            System.gc();
            assertThat(builder.alive().count()).isLessThanOrEqualTo(1);
        });
        assertThat(warnings()).isEmpty();
    }
}
