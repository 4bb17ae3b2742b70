package dev.lychgate.server.hystrix;

import com.fasterxml.jackson.core.JsonGenerator;
import com.netflix.hystrix.HystrixCommandMetrics;
import com.netflix.hystrix.HystrixEventType;
import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.server.json.JsonText;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One upstream as one JSON object, with the fields and names that the servlet of hystrix-metrics-event-stream 1.5 writes for a
 * command, in its order. What there is no such thing as in a gateway is 0 or false.
 */
final class CommandLine {
    private static final double[] PERCENTILES = {0, 25, 50, 75, 90, 95, 99, 99.5, 100};

    /** Rolling counts under the names the dashboard knows them by, which are not those of the enum. */
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

    /** The object. @param wallClock what time it is, in milliseconds since 1970 */
    static String of(WatchedUpstream upstream, HystrixCommandMetrics metrics, long wallClock) {
        return JsonText.of(json -> {
            json.writeStartObject();
            health(json, upstream, metrics, wallClock);
            counts(json, upstream, metrics);
            latencies(json, metrics);
            settings(json, upstream);
            json.writeNumberField("reportingHosts", 1);
            json.writeStringField("threadPool", metrics.getThreadPoolKey().name());
            json.writeEndObject();
        });
    }

    private static void health(
            JsonGenerator json, WatchedUpstream upstream, HystrixCommandMetrics metrics, long wallClock)
            throws IOException {
        json.writeStringField("type", "HystrixCommand");
        json.writeStringField("name", upstream.config().name());
        json.writeStringField("group", metrics.getCommandGroup().name());
        json.writeNumberField("currentTime", wallClock);
        json.writeBooleanField("isCircuitBreakerOpen", upstream.isOpen());
        HystrixCommandMetrics.HealthCounts health = metrics.getHealthCounts();
        json.writeNumberField("errorPercentage", health.getErrorPercentage());
        json.writeNumberField("errorCount", health.getErrorCount());
        json.writeNumberField("requestCount", health.getTotalRequests());
    }

    private static void counts(JsonGenerator json, WatchedUpstream upstream, HystrixCommandMetrics metrics)
            throws IOException {
        for (Map.Entry<String, HystrixEventType> count : COUNTS.entrySet()) {
            json.writeNumberField("rollingCount" + count.getKey(), metrics.getRollingCount(count.getValue()));
        }
        json.writeNumberField(
                "currentConcurrentExecutionCount", upstream.tally().underWay());
        json.writeNumberField("rollingMaxConcurrentExecutionCount", metrics.getRollingMaxConcurrentExecutions());
    }

    private static void latencies(JsonGenerator json, HystrixCommandMetrics metrics) throws IOException {
        json.writeNumberField("latencyExecute_mean", metrics.getExecutionTimeMean());
        json.writeObjectFieldStart("latencyExecute");
        for (double p : PERCENTILES) {
            json.writeNumberField(name(p), metrics.getExecutionTimePercentile(p));
        }
        json.writeEndObject();
        json.writeNumberField("latencyTotal_mean", metrics.getTotalTimeMean());
        json.writeObjectFieldStart("latencyTotal");
        for (double p : PERCENTILES) {
            json.writeNumberField(name(p), metrics.getTotalTimePercentile(p));
        }
        json.writeEndObject();
    }

    private static String name(double percentile) {
        return percentile == 99.5 ? "99.5" : Integer.toString((int) percentile);
    }

    /** Ours, not those of a command: what decides is what is shown. */
    private static void settings(JsonGenerator json, WatchedUpstream upstream) throws IOException {
        BreakerConfig said = upstream.config().resilience().breaker();
        BreakerConfig breaker = said == null ? BreakerConfig.DEFAULT : said;
        BulkheadConfig bulkhead = upstream.config().resilience().bulkhead();
        long timeout = millis(
                upstream.config().timeouts().orElse(RouteTimeouts.DEFAULT).responseHead());
        json.writeNumberField("propertyValue_circuitBreakerRequestVolumeThreshold", breaker.minimum());
        json.writeNumberField(
                "propertyValue_circuitBreakerSleepWindowInMilliseconds",
                breaker.open().toMillis());
        json.writeNumberField(
                "propertyValue_circuitBreakerErrorThresholdPercentage",
                breaker.errorShare().value());
        json.writeBooleanField("propertyValue_circuitBreakerForceOpen", false);
        json.writeBooleanField("propertyValue_circuitBreakerForceClosed", false);
        json.writeBooleanField("propertyValue_circuitBreakerEnabled", said != null);
        json.writeStringField("propertyValue_executionIsolationStrategy", "SEMAPHORE");
        json.writeNumberField("propertyValue_executionIsolationThreadTimeoutInMilliseconds", timeout);
        json.writeNumberField("propertyValue_executionTimeoutInMilliseconds", timeout);
        json.writeBooleanField("propertyValue_executionIsolationThreadInterruptOnTimeout", false);
        json.writeNullField("propertyValue_executionIsolationThreadPoolKeyOverride");
        json.writeNumberField(
                "propertyValue_executionIsolationSemaphoreMaxConcurrentRequests",
                bulkhead == null ? Integer.MAX_VALUE : bulkhead.concurrent());
        json.writeNumberField("propertyValue_fallbackIsolationSemaphoreMaxConcurrentRequests", 0);
        json.writeNumberField(
                "propertyValue_metricsRollingStatisticalWindowInMilliseconds",
                breaker.window().toMillis());
        json.writeBooleanField("propertyValue_requestCacheEnabled", false);
        json.writeBooleanField("propertyValue_requestLogEnabled", false);
    }

    private static long millis(@Nullable Duration duration) {
        return Objects.requireNonNull(duration).toMillis();
    }
}
