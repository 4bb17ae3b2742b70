package dev.lychgate.server.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.server.yaml.ConfigReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of upstreams that are derived from properties of Hystrix. */
class HystrixKeysTest {
    @TempDir
    private Path dir = Path.of("");

    /** Examines an application with the service users. @param properties lines; KEY stands for the key of the service */
    private MigrationReport report(String properties) throws Exception {
        Files.writeString(dir.resolve("application.properties"), """
                zuul.routes.users=/users/**
                zuul.sensitive-headers=
                users.ribbon.listOfServers=10.0.0.1:80
                """ + properties);
        return ZuulMigration.examine(dir);
    }

    private UpstreamConfig upstream(String properties) throws Exception {
        return Objects.requireNonNull(new ConfigReader(name -> null)
                .read("gateway.yml", report(properties).configuration())
                .config()
                .upstreams()
                .get("users"));
    }

    private static BreakerConfig breaker(UpstreamConfig upstream) {
        return Objects.requireNonNull(upstream.resilience().breaker());
    }

    private static Arguments mapped(String property, Function<UpstreamConfig, Object> value, Object expected) {
        return Arguments.of(property, value, expected);
    }

    static Stream<Arguments> mappings() {
        return Stream.of(
                mapped("command.KEY.circuitBreaker.enabled=true", HystrixKeysTest::breaker, BreakerConfig.DEFAULT),
                mapped(
                        "command.KEY.circuitBreaker.errorThresholdPercentage=30",
                        upstream -> breaker(upstream).errorShare().toString(),
                        "30%"),
                mapped(
                        "command.KEY.circuitBreaker.requestVolumeThreshold=7",
                        upstream -> breaker(upstream).minimum(),
                        7),
                mapped(
                        "command.KEY.circuitBreaker.sleepWindowInMilliseconds=1500",
                        upstream -> breaker(upstream).open(),
                        Duration.ofMillis(1500)),
                mapped(
                        "command.KEY.metrics.rollingStats.timeInMilliseconds=20000",
                        upstream -> breaker(upstream).window(),
                        Duration.ofSeconds(20)),
                mapped(
                        "command.KEY.execution.isolation.thread.timeoutInMilliseconds=900",
                        upstream -> upstream.timeouts().responseHead(),
                        Duration.ofMillis(900)),
                mapped(
                        "command.KEY.execution.isolation.semaphore.maxConcurrentRequests=40",
                        HystrixKeysTest::concurrent,
                        40),
                mapped("threadpool.KEY.coreSize=25", HystrixKeysTest::concurrent, 25),
                mapped(
                        "threadpool.KEY.maximumSize=50\n"
                                + "hystrix.threadpool.KEY.allowMaximumSizeToDivergeFromCoreSize=true\n"
                                + "hystrix.threadpool.KEY.coreSize=25",
                        HystrixKeysTest::concurrent,
                        50),
                mapped(
                        "command.KEY.execution.isolation.strategy=THREAD\nhystrix.threadpool.KEY.coreSize=12",
                        HystrixKeysTest::concurrent,
                        12),
                mapped(
                        "command.KEY.execution.isolation.strategy=SEMAPHORE\n"
                                + "hystrix.command.KEY.execution.isolation.semaphore.maxConcurrentRequests=13",
                        HystrixKeysTest::concurrent,
                        13));
    }

    private static Object concurrent(UpstreamConfig upstream) {
        return Objects.requireNonNull(upstream.resilience().bulkhead()).concurrent();
    }

    @ParameterizedTest
    @MethodSource("mappings")
    void derivesSettingFromPropertyOfService(String property, Function<UpstreamConfig, Object> value, Object expected)
            throws Exception {
        String properties = "hystrix." + property.replace("KEY", "users") + "\n";

        assertThat(value.apply(upstream(properties))).isEqualTo(expected);
        assertThat(report(properties).notUnderstood()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("mappings")
    void derivesSettingFromPropertyOfAllServices(
            String property, Function<UpstreamConfig, Object> value, Object expected) throws Exception {
        String properties = "hystrix." + property.replace("KEY", "default") + "\n";

        assertThat(value.apply(upstream(properties))).isEqualTo(expected);
        assertThat(report(properties).notUnderstood()).isEmpty();
    }

    @Test
    void propertyOfServiceOverridesPropertyOfAllServices() throws Exception {
        assertThat(breaker(upstream("""
                        hystrix.command.default.circuitBreaker.requestVolumeThreshold=7
                        hystrix.command.users.circuitBreaker.requestVolumeThreshold=8
                        """)).minimum()).isEqualTo(8);
    }

    @Test
    void derivesNoGuardsWithoutProperties() throws Exception {
        assertThat(upstream("").resilience().breaker()).isNull();
        assertThat(upstream("").resilience().bulkhead()).isNull();
    }

    @Test
    void disabledBreakerIsNotDerived() throws Exception {
        String properties = """
                hystrix.command.users.circuitBreaker.enabled=false
                hystrix.command.users.circuitBreaker.requestVolumeThreshold=8
                """;

        assertThat(upstream(properties).resilience().breaker()).isNull();
        assertThat(report(properties).notUnderstood()).isEmpty();
    }

    @Test
    void disabledTimeoutIsNotDerived() throws Exception {
        String properties = """
                hystrix.command.users.execution.timeout.enabled=false
                hystrix.command.users.execution.isolation.thread.timeoutInMilliseconds=900
                """;

        assertThat(upstream(properties).timeouts().responseHead()).isNotEqualTo(Duration.ofMillis(900));
        assertThat(report(properties).notUnderstood()).isEmpty();
    }

    @Test
    void shorterOfTheTimeoutsOfRibbonAndHystrixLimitsTheHeadAlone() throws Exception {
        UpstreamConfig upstream = upstream("""
                users.ribbon.ReadTimeout=3000
                hystrix.command.users.execution.isolation.thread.timeoutInMilliseconds=2000
                """);

        assertThat(upstream.timeouts().responseHead()).isEqualTo(Duration.ofSeconds(2));
        assertThat(upstream.timeouts().responseBody()).isEqualTo(Duration.ofSeconds(3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "command.users.fallback.enabled=false",
                "command.users.requestCache.enabled=false",
                "command.users.circuitBreaker.forceOpen=true",
                "command.users.metrics.rollingStats.numBuckets=20",
                "threadpool.users.maxQueueSize=10",
                "threadpool.users.queueSizeRejectionThreshold=5",
                "threadpool.users.keepAliveTimeMinutes=1",
                "command.unknown.circuitBreaker.requestVolumeThreshold=8",
                "collapser.users.maxRequestsInBatch=3"
            })
    void listsPropertiesWithoutCounterpart(String property) throws Exception {
        assertThat(report("hystrix." + property + "\n").notUnderstood())
                .containsExactly("application.properties: hystrix." + property);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "command.users.circuitBreaker.errorThresholdPercentage=101",
                "command.users.circuitBreaker.sleepWindowInMilliseconds=10",
                "threadpool.users.coreSize=many"
            })
    void listsValuesOutOfRange(String property) throws Exception {
        assertThat(report("hystrix." + property + "\n").notUnderstood())
                .singleElement()
                .asString()
                .startsWith("application.properties: hystrix." + property + ": not a number from ");
        assertThat(upstream("hystrix." + property + "\n").resilience().breaker())
                .isNull();
    }

    @Test
    void limitOfTheUnusedIsolationIsListed() throws Exception {
        String properties = """
                hystrix.command.users.execution.isolation.strategy=SEMAPHORE
                hystrix.threadpool.users.coreSize=12
                """;

        assertThat(upstream(properties).resilience().bulkhead()).isNull();
        assertThat(report(properties).notUnderstood())
                .containsExactly("application.properties: hystrix.threadpool.users.coreSize=12");
    }
}
