package dev.lychgate.filters.groovy;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import groovy.lang.GroovySystem;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
                    java.util.concurrent.CountDownLatch begun = new java.util.concurrent.CountDownLatch(1)
                    def thread = new Thread({ begun.countDown(); while (true) { sleep(10_000) } }, 'leaking %d')
                    thread.daemon = true
                    thread.start()
                    begun.await()
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
        awaitWarning();
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
                "System.properties.put('leak %d', [[new Own%1$d()]] as Object[]) | system property 'leak 1'",
                "Own%d.register([Integer, Long, Short].get(%1$d - 1)) | the meta class of java.lang.Integer",
                "Runtime.runtime.addShutdownHook(new Thread({ new Own%d() })) | unknown objects; a heap dump shows them",
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

                            static void register(Class<?> of) {
                                def meta = new ExpandoMetaClass(of, true)
                                meta.registerInstanceMethod('own', { new Own%1$d() })
                                meta.initialize()
                                GroovySystem.metaClassRegistry.setMetaClass(of, meta)
                            }
                        }
                        %2$s
                        filter { }
                        """.formatted(i, leak.formatted(i)));
            }
            awaitWarning();
            assertThat(warnings().get(0)).contains("; held by ").contains(holder);
        } finally {
            for (Class<?> changed : List.of(Integer.class, Long.class, Short.class)) {
                GroovySystem.getMetaClassRegistry().removeMetaClass(changed);
            }
            System.getProperties().keySet().removeIf(key -> key.toString().startsWith("leak "));
            for (ObjectName bean :
                    ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName("leak:*"), null)) {
                ManagementFactory.getPlatformMBeanServer().unregisterMBean(bean);
            }
        }
    }

    /** A class in {@code lib} stays loaded while filters change. */
    @Test
    void namesTheStaticFieldThatHoldsAGeneration() throws Exception {
        String[] lib = {
            "lib/common/Registry.groovy", "package common\nclass Registry { static final Map<String, List> ALL = [:] }"
        };
        BuiltFilters running =
                builder.build(Sources.of(lib[0], lib[1], "inbound/all.groovy", "filter { common.Registry.ALL }"));
        running.tookOver();
        for (int i = 1; i <= 3; i++) {
            retire(lib[0], lib[1], "inbound/leaking.groovy", """
                    import common.Registry

                    class Own%1$d {}
                    Registry.ALL['%1$d'] = [new Own%1$d()]
                    filter { }
                    """.formatted(i));
        }
        awaitWarning();
        assertThat(warnings().get(0)).endsWith("; held by static field common.Registry.ALL");
        running.close();
    }

    @Test
    void namesTheThreadWhoseThreadLocalHoldsAGeneration() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor(code -> new Thread(code, "pool of the test"));
        pool.submit(() -> {}).get();
        System.getProperties().put("pool of the test", pool);
        try {
            for (int i = 1; i <= 3; i++) {
                retire("inbound/local.groovy", """
                        import java.util.concurrent.ExecutorService

                        class Own%1$d {}
                        def local = new ThreadLocal<List>()
                        def pool = System.properties.get('pool of the test') as ExecutorService
                        pool.submit { local.set([new Own%1$d()]) }.get()
                        System.properties.put('local %1$d', local)
                        filter { }
                        """.formatted(i));
            }
            awaitWarning();
            assertThat(warnings().get(0)).endsWith("; held by a thread local of thread 'pool of the test'");
        } finally {
            System.getProperties().keySet().removeIf(key -> key.toString().matches("local .|pool of the test"));
            pool.shutdownNow();
        }
    }

    private void awaitWarning() throws Exception {
        eventually(() -> {
            System.gc();
            builder.alive().count();
            assertThat(warnings()).isNotEmpty();
        });
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
