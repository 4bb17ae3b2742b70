package dev.lychgate.server.hystrix;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.resilience.Admission;
import dev.lychgate.resilience.Ending;
import dev.lychgate.resilience.Protection;
import dev.lychgate.testing.Eventually;
import dev.lychgate.upstream.Upstream;
import dev.lychgate.upstream.UpstreamState;
import dev.lychgate.upstream.UpstreamStates;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The lines for the Hystrix dashboard. */
@Tag("slow")
class HystrixLinesTest {
    private static final long MS = 1_000_000;

    /** The fields that HystrixSampleSseServlet of hystrix-metrics-event-stream 1.5.18 writes for a command. */
    private static final String FIELDS = """
            type name group currentTime isCircuitBreakerOpen errorPercentage errorCount requestCount
            rollingCountBadRequests rollingCountCollapsedRequests rollingCountEmit rollingCountExceptionsThrown
            rollingCountFailure rollingCountFallbackEmit rollingCountFallbackFailure rollingCountFallbackMissing
            rollingCountFallbackRejection rollingCountFallbackSuccess rollingCountResponsesFromCache
            rollingCountSemaphoreRejected rollingCountShortCircuited rollingCountSuccess rollingCountThreadPoolRejected
            rollingCountTimeout currentConcurrentExecutionCount rollingMaxConcurrentExecutionCount
            latencyExecute_mean latencyExecute latencyTotal_mean latencyTotal
            propertyValue_circuitBreakerRequestVolumeThreshold propertyValue_circuitBreakerSleepWindowInMilliseconds
            propertyValue_circuitBreakerErrorThresholdPercentage propertyValue_circuitBreakerForceOpen
            propertyValue_circuitBreakerForceClosed propertyValue_circuitBreakerEnabled
            propertyValue_executionIsolationStrategy propertyValue_executionIsolationThreadTimeoutInMilliseconds
            propertyValue_executionTimeoutInMilliseconds propertyValue_executionIsolationThreadInterruptOnTimeout
            propertyValue_executionIsolationThreadPoolKeyOverride
            propertyValue_executionIsolationSemaphoreMaxConcurrentRequests
            propertyValue_fallbackIsolationSemaphoreMaxConcurrentRequests
            propertyValue_metricsRollingStatisticalWindowInMilliseconds propertyValue_requestCacheEnabled
            propertyValue_requestLogEnabled reportingHosts threadPool
            """;

    private final Protection protection = Protection.of(config("any"), 1);

    private static UpstreamConfig config(String name) {
        return UpstreamConfig.of(name, EndpointConfig.parse("http://127.0.0.1:1"))
                .withResilience(new UpstreamResilience(
                        RetryBudgetConfig.DEFAULT, BreakerConfig.DEFAULT, new BulkheadConfig(2000), null));
    }

    private HystrixLines lines(String name) {
        UpstreamState state = new UpstreamStates(1).of(name);
        return new HystrixLines(() -> List.of(new Upstream(config(name), state, protection, null)));
    }

    private static JsonNode next(HystrixLines lines) throws Exception {
        List<String> all = lines.next();
        assertThat(all).hasSize(1);
        assertThat(all.get(0)).doesNotContain("\n");
        return new ObjectMapper().readTree(all.get(0));
    }

    private void attempts(int count, Ending ending, long latency) {
        Admission admission = new Admission(protection.tally().onLoop(0));
        for (int i = 0; i < count; i++) {
            if (admission.enter(protection.guards(0, "127.0.0.1:1"), 0)) {
                admission.leave(ending, latency);
            }
        }
    }

    @Test
    void aLineHasTheFieldsOfTheServletInItsOrder() throws Exception {
        JsonNode line = next(lines("fields"));

        List<String> names = new ArrayList<>();
        line.fieldNames().forEachRemaining(names::add);
        assertThat(names).containsExactly(FIELDS.trim().split("\\s+"));
        List<String> percentiles = new ArrayList<>();
        line.get("latencyExecute").fieldNames().forEachRemaining(percentiles::add);
        assertThat(percentiles).containsExactly("0", "25", "50", "75", "90", "95", "99", "99.5", "100");
    }

    @Test
    void theSettingsMatchTheConfiguration() throws Exception {
        JsonNode line = next(lines("settings"));

        assertThat(line.get("type").asText()).isEqualTo("HystrixCommand");
        assertThat(line.get("name").asText()).isEqualTo("settings");
        assertThat(line.get("isCircuitBreakerOpen").asBoolean()).isFalse();
        assertThat(line.get("propertyValue_circuitBreakerRequestVolumeThreshold")
                        .asInt())
                .isEqualTo(20);
        assertThat(line.get("propertyValue_circuitBreakerSleepWindowInMilliseconds")
                        .asInt())
                .isEqualTo(5000);
        assertThat(line.get("propertyValue_executionIsolationSemaphoreMaxConcurrentRequests")
                        .asInt())
                .isEqualTo(2000);
        assertThat(line.get("propertyValue_metricsRollingStatisticalWindowInMilliseconds")
                        .asInt())
                .isEqualTo(10_000);
    }

    @Test
    void theRollingCountsStartWithTheFirstReader() throws Exception {
        attempts(1000, Ending.SUCCESS, 10 * MS);
        HystrixLines lines = lines("counts");
        next(lines);
        attempts(15, Ending.SUCCESS, 10 * MS);
        attempts(3, Ending.FAILURE, 10 * MS);
        attempts(2, Ending.TIMEOUT, 10 * MS);
        attempts(7, Ending.IGNORED, 10 * MS);
        next(lines);

        Eventually.eventually(() -> {
            JsonNode line = next(lines);
            assertThat(line.get("rollingCountSuccess").asInt()).isEqualTo(15);
            assertThat(line.get("rollingCountFailure").asInt()).isEqualTo(3);
            assertThat(line.get("rollingCountTimeout").asInt()).isEqualTo(2);
            assertThat(line.get("requestCount").asInt()).isEqualTo(20);
            assertThat(line.get("errorPercentage").asInt()).isEqualTo(25);
            assertThat(line.get("latencyExecute").get("50").asInt()).isBetween(8, 12);
        });
    }

    @Test
    void anOpenCircuitAndItsRefusalsAreShown() throws Exception {
        HystrixLines lines = lines("open");
        next(lines);
        attempts(20, Ending.FAILURE, 10 * MS);
        attempts(30, Ending.SUCCESS, 10 * MS);
        next(lines);

        Eventually.eventually(() -> {
            JsonNode line = next(lines);
            assertThat(line.get("isCircuitBreakerOpen").asBoolean()).isTrue();
            assertThat(line.get("rollingCountShortCircuited").asInt()).isEqualTo(30);
        });
    }
}
