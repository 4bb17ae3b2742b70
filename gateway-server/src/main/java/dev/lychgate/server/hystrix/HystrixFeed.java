package dev.lychgate.server.hystrix;

import com.netflix.hystrix.ExecutionResult;
import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixCommandKey;
import com.netflix.hystrix.HystrixCommandMetrics;
import com.netflix.hystrix.HystrixCommandProperties;
import com.netflix.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import com.netflix.hystrix.HystrixEventType;
import com.netflix.hystrix.HystrixThreadPoolKey;
import com.netflix.hystrix.metric.HystrixCommandCompletion;
import com.netflix.hystrix.metric.HystrixCommandCompletionStream;
import com.netflix.hystrix.metric.HystrixCommandExecutionStarted;
import com.netflix.hystrix.metric.HystrixCommandStartStream;
import dev.lychgate.config.BreakerConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.resilience.AttemptTally;
import dev.lychgate.resilience.Ending;
import dev.lychgate.resilience.LatencyBuckets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * Reports attempts at one upstream to Hystrix. Each upstream is a Hystrix command that never runs. One event for each
 * ended or refused attempt is written to the stream of the command. Attempts of the same kind and latency class share
 * one event object.
 *
 * <p>Must not be used on event loops, because the streams of Hystrix take locks. Not thread-safe.
 */
final class HystrixFeed {
    private static final HystrixCommandGroupKey GROUP = HystrixCommandGroupKey.Factory.asKey("lychgate");
    /** The name of a thread pool. There is no pool, but the dashboard requires a name. */
    private static final HystrixThreadPoolKey NO_POOL = HystrixThreadPoolKey.Factory.asKey("lychgate");

    private final AttemptTally tally;
    private final HystrixCommandKey key;
    private final HystrixCommandMetrics metrics;
    private final HystrixCommandCompletionStream completions;
    private final List<Source> sources = new ArrayList<>();

    HystrixFeed(String upstream, BreakerConfig breaker, AttemptTally tally) {
        this.tally = tally;
        // The prefix distinguishes this key from the keys of commands that filters run.
        this.key = HystrixCommandKey.Factory.asKey("upstream." + upstream);
        this.metrics = HystrixCommandMetrics.getInstance(key, GROUP, NO_POOL, new Settings(key, breaker));
        this.completions = HystrixCommandCompletionStream.getInstance(key);
        for (int i = 0; i < LatencyBuckets.COUNT; i++) {
            int bucket = i;
            // Uses the middle of the latency class, because Hystrix treats a time as exact, not as an upper bound.
            long begin = i == 0 ? 0 : LatencyBuckets.end(i - 1);
            int millis = (int) ((begin + LatencyBuckets.end(i)) / 2_000_000);
            add(event(millis, HystrixEventType.SUCCESS), () -> tally.ended(Ending.SUCCESS, bucket));
            add(failure(millis, HystrixEventType.FAILURE), () -> tally.ended(Ending.FAILURE, bucket));
            add(failure(millis, HystrixEventType.TIMEOUT), () -> tally.ended(Ending.TIMEOUT, bucket));
            add(event(millis, HystrixEventType.CANCELLED), () -> tally.ended(Ending.IGNORED, bucket));
        }
        addRefusal(HystrixEventType.SHORT_CIRCUITED, ErrorKind.CIRCUIT_OPEN);
        addRefusal(HystrixEventType.SEMAPHORE_REJECTED, ErrorKind.BULKHEAD_FULL);
        addRefusal(HystrixEventType.SEMAPHORE_REJECTED, ErrorKind.CONCURRENCY_LIMITED);
    }

    private void add(HystrixCommandCompletion event, LongSupplier count) {
        sources.add(new Source(event, count));
    }

    private void addRefusal(HystrixEventType type, ErrorKind kind) {
        add(failure(-1, type), () -> tally.refused(kind));
    }

    HystrixCommandMetrics metrics() {
        return metrics;
    }

    boolean tells(AttemptTally counts) {
        return tally == counts;
    }

    /** Reports the attempts that have ended since the last call. */
    void flush() {
        int underWay = (int) tally.underWay();
        if (underWay > 0) {
            HystrixCommandStartStream.getInstance(key)
                    .write(new HystrixCommandExecutionStarted(
                            key, NO_POOL, ExecutionIsolationStrategy.SEMAPHORE, underWay));
        }
        for (Source source : sources) {
            for (long n = source.growth(); n > 0; n--) {
                completions.write(source.event);
            }
        }
    }

    /**
     * Creates the event for a failed attempt. The event reports no Hystrix fallback, because the gateway determines the
     * client's response.
     */
    private HystrixCommandCompletion failure(int millis, HystrixEventType type) {
        return event(millis, type, HystrixEventType.FALLBACK_MISSING);
    }

    private HystrixCommandCompletion event(int millis, HystrixEventType... types) {
        ExecutionResult result = ExecutionResult.from(types);
        if (millis >= 0) {
            result =
                    result.setExecutionLatency(millis).setInvocationStartTime(1).markUserThreadCompletion(millis);
        }
        return HystrixCommandCompletion.from(result, key, NO_POOL);
    }

    /** A growing count, and the event that each increment represents. */
    private static final class Source {
        private final HystrixCommandCompletion event;
        private final LongSupplier count;
        private long told;

        Source(HystrixCommandCompletion event, LongSupplier count) {
            this.event = Objects.requireNonNull(event);
            this.count = count;
            // Attempts that ended before the first client connected are not reported.
            this.told = count.getAsLong();
        }

        long growth() {
            long now = count.getAsLong();
            long growth = now - told;
            told = now;
            return growth;
        }
    }

    /**
     * The settings of the rolling metrics. They have a separate prefix, so that settings for the commands of filters do
     * not affect them.
     */
    private static final class Settings extends HystrixCommandProperties {
        private static final int BUCKETS = 10;
        private static final int TIMES_MILLIS = 10_000;

        Settings(HystrixCommandKey key, BreakerConfig breaker) {
            super(
                    key,
                    HystrixCommandProperties.Setter()
                            .withMetricsRollingStatisticalWindowInMilliseconds(
                                    (int) breaker.window().toMillis())
                            .withMetricsRollingStatisticalWindowBuckets(BUCKETS)
                            // The default is a minute in buckets of ten seconds. With that default, a new client would
                            // get no times until the first bucket is complete.
                            .withMetricsRollingPercentileWindowInMilliseconds(TIMES_MILLIS)
                            .withMetricsRollingPercentileWindowBuckets(BUCKETS),
                    "lychgate");
        }
    }
}
