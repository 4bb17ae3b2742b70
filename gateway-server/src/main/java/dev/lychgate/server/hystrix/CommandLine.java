package dev.lychgate.server.hystrix;

import com.netflix.hystrix.HystrixCommandMetrics;
import com.netflix.hystrix.HystrixEventType;
import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.resilience.CircuitBreaker;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.upstream.Upstream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleToIntFunction;

/**
 * Writes an upstream as a JSON object, with the fields, names and order that the servlet of
 * hystrix-metrics-event-stream 1.5 writes for a command. Fields without a counterpart in the gateway are 0 or false.
 */
final class CommandLine {
    private static final double[] PERCENTILES = {0, 25, 50, 75, 90, 95, 99, 99.5, 100};

    /**
     * Maps the names that the dashboard expects to the rolling counts. These names differ from the names of the enum
     * constants.
     */
    private static final Map<String, HystrixEventType> COUNTS = new LinkedHashMap<>();

    static {
        COUNTS.put("BadRequests", HystrixEventType.BAD_REQUEST);
        COUNTS.put("CollapsedRequests", HystrixEventType.COLLAPSED);
        COUNTS.put("Emit", HystrixEventType.EMIT);
        COUNTS.put("ExceptionsThrown", HystrixEventType.EXCEPTION_THROWN);
        COUNTS.put("Failure", HystrixEventType.FAILURE);
        COUNTS.put("FallbackEmit", HystrixEventType.FALLBACK_EMIT);
        COUNTS.put("FallbackFailure", HystrixEventType.FALLBACK_FAILURE);
        COUNTS.put("FallbackMissing", HystrixEventType.FALLBACK_MISSING);
        COUNTS.put("FallbackRejection", HystrixEventType.FALLBACK_REJECTION);
        COUNTS.put("FallbackSuccess", HystrixEventType.FALLBACK_SUCCESS);
        COUNTS.put("ResponsesFromCache", HystrixEventType.RESPONSE_FROM_CACHE);
        COUNTS.put("SemaphoreRejected", HystrixEventType.SEMAPHORE_REJECTED);
        COUNTS.put("ShortCircuited", HystrixEventType.SHORT_CIRCUITED);
        COUNTS.put("Success", HystrixEventType.SUCCESS);
        COUNTS.put("ThreadPoolRejected", HystrixEventType.THREAD_POOL_REJECTED);
        COUNTS.put("Timeout", HystrixEventType.TIMEOUT);
    }

    private CommandLine() {}

    /**
     * Returns the JSON object of an upstream.
     *
     * @param wallClock the current time, in milliseconds since 1970
     */
    static String of(Upstream upstream, HystrixCommandMetrics metrics, long wallClock) {
        HystrixCommandMetrics.HealthCounts health = metrics.getHealthCounts();
        JsonObject json = new JsonObject()
                .with("type", "HystrixCommand")
                .with("name", upstream.config().name())
                .with("group", metrics.getCommandGroup().name())
                .with("currentTime", wallClock)
                .with("isCircuitBreakerOpen", isOpen(upstream))
                .with("errorPercentage", health.getErrorPercentage())
                .with("errorCount", health.getErrorCount())
                .with("requestCount", health.getTotalRequests());
        COUNTS.forEach((name, type) -> json.with("rollingCount" + name, metrics.getRollingCount(type)));
        json.with(
                        "currentConcurrentExecutionCount",
                        upstream.protection().tally().underWay())
                .with("rollingMaxConcurrentExecutionCount", metrics.getRollingMaxConcurrentExecutions())
                .with("latencyExecute_mean", metrics.getExecutionTimeMean())
                .with("latencyExecute", percentiles(metrics::getExecutionTimePercentile))
                .with("latencyTotal_mean", metrics.getTotalTimeMean())
                .with("latencyTotal", percentiles(metrics::getTotalTimePercentile));
        addSettings(json, upstream.config());
        return JsonText.of(json.with("reportingHosts", 1)
                .with("threadPool", metrics.getThreadPoolKey().name()));
    }

    /** Returns whether a circuit breaker of the upstream or of one of its endpoints is not closed. */
    private static boolean isOpen(Upstream upstream) {
        return upstream.protection().breakers().values().stream()
                .anyMatch(breaker -> breaker.position() != CircuitBreaker.Position.CLOSED);
    }

    private static JsonObject percentiles(DoubleToIntFunction of) {
        JsonObject json = new JsonObject();
        for (double p : PERCENTILES) {
            json.with(p == 99.5 ? "99.5" : Integer.toString((int) p), of.applyAsInt(p));
        }
        return json;
    }

    /** Adds the settings of the upstream, which apply in place of the settings of a Hystrix command. */
    private static void addSettings(JsonObject json, UpstreamConfig config) {
        BreakerConfig said = config.resilience().breaker();
        BreakerConfig breaker = said == null ? BreakerConfig.DEFAULT : said;
        BulkheadConfig bulkhead = config.resilience().bulkhead();
        Duration head = config.timeouts().orElse(RouteTimeouts.DEFAULT).responseHead();
        long timeout = Objects.requireNonNull(head).toMillis();
        json.with("propertyValue_circuitBreakerRequestVolumeThreshold", breaker.minimum())
                .with(
                        "propertyValue_circuitBreakerSleepWindowInMilliseconds",
                        breaker.open().toMillis())
                .with(
                        "propertyValue_circuitBreakerErrorThresholdPercentage",
                        breaker.errorShare().value())
                .with("propertyValue_circuitBreakerForceOpen", false)
                .with("propertyValue_circuitBreakerForceClosed", false)
                .with("propertyValue_circuitBreakerEnabled", said != null)
                .with("propertyValue_executionIsolationStrategy", "SEMAPHORE")
                .with("propertyValue_executionIsolationThreadTimeoutInMilliseconds", timeout)
                .with("propertyValue_executionTimeoutInMilliseconds", timeout)
                .with("propertyValue_executionIsolationThreadInterruptOnTimeout", false)
                .with("propertyValue_executionIsolationThreadPoolKeyOverride", JsonObject.NULL)
                .with(
                        "propertyValue_executionIsolationSemaphoreMaxConcurrentRequests",
                        bulkhead == null ? Integer.MAX_VALUE : bulkhead.concurrent())
                .with("propertyValue_fallbackIsolationSemaphoreMaxConcurrentRequests", 0)
                .with(
                        "propertyValue_metricsRollingStatisticalWindowInMilliseconds",
                        breaker.window().toMillis())
                .with("propertyValue_requestCacheEnabled", false)
                .with("propertyValue_requestLogEnabled", false);
    }
}
