package dev.lychgate.perf;

import dev.lychgate.config.BreakerConfig;
import dev.lychgate.resilience.CircuitBreaker;
import dev.lychgate.resilience.Ending;
import dev.lychgate.resilience.Guard;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of a closed circuit breaker per attempt: the permit, and the report of the result. */
@Warmup(iterations = 3, time = 1)
public class GuardBenchmark extends NanosecondBenchmark {
    private static final long LATENCY = TimeUnit.MILLISECONDS.toNanos(1);
    /** The time between two attempts, as at 20,000 requests per second. */
    private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(50);

    private final Guard breaker = new CircuitBreaker(BreakerConfig.DEFAULT, 1).onLoop(0);
    private long now = TimeUnit.HOURS.toNanos(1);

    /** An attempt that succeeds. */
    @Benchmark
    public long breaker() {
        now += PAUSE;
        long ticket = breaker.tryAcquire(now);
        breaker.release(ticket, Ending.SUCCESS, LATENCY, now + LATENCY);
        return ticket;
    }
}
