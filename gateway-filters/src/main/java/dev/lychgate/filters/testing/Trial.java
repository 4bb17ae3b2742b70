package dev.lychgate.filters.testing;

import dev.lychgate.blocking.BlockingThreads;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.exchange.Worker;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.Traffic;
import dev.lychgate.http.RequestHead;
import dev.lychgate.loop.VirtualLoop;
import dev.lychgate.pool.LoopPools;
import dev.lychgate.pool.PoolLimits;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.local.LocalIoHandler;
import io.netty.handler.codec.http.HttpHeaders;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One real exchange of the gateway between a simulated client and a simulated origin. The exchange runs on the thread
 * that created the trial, and makes progress while a method of the trial runs. Asynchronous and blocking filters may
 * run on other threads even if no method of the trial is running.
 */
final class Trial {
    /** The maximum real time for which a test waits for other threads. If the time is exceeded, the test fails. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final BlockingThreads BLOCKING = new BlockingThreads();

    private final ManualIoEventLoop tasks = new ManualIoEventLoop(Thread.currentThread(), LocalIoHandler.newFactory());
    private final VirtualLoop loop = new VirtualLoop(tasks);
    private final TestClient client;
    private final TestOrigin origin;
    private final Generation generation;
    private final Exchange exchange;
    private boolean finished;

    Trial(GatewayConfig config, FilterSet filters, TestClient client, TestOrigin origin) {
        this(Generation.first(config, filters, 1), client, origin, ExchangeObserver.NONE, null);
    }

    /**
     * Creates an exchange that has not begun.
     *
     * @param generation a generation for one event loop
     * @param requestId the id of the exchange; null for a random id
     */
    Trial(
            Generation generation,
            TestClient client,
            TestOrigin origin,
            ExchangeObserver observer,
            @Nullable String requestId) {
        this.client = client;
        this.origin = origin;
        this.generation = generation;
        LoopPools pools = new LoopPools(loop, origin, new PoolLimits(1));
        Traffic traffic = Traffic.of(generation);
        Worker worker = new Worker(loop, pools, () -> traffic, observer, BLOCKING);
        this.exchange = requestId == null ? new Exchange(worker, client) : new Exchange(worker, client, requestId);
    }

    Generation generation() {
        return generation;
    }

    void begin(RequestHead head) {
        exchange.begin(head);
        exchange.onDownstreamReadComplete();
        settle();
    }

    /** Begins the exchange with a recorded head, which the gateway accepted when it was recorded. */
    void beginAsRecorded(RequestHead head) {
        HttpHeaders recorded = head.headers().copy();
        exchange.accept(head);
        head.headers().clear().add(recorded);
        exchange.begin();
        exchange.onDownstreamReadComplete();
        settle();
    }

    /**
     * Runs the pending work of client, gateway and origin until no work is left or the exchange has ended.
     *
     * @return whether there was pending work
     */
    boolean settle() {
        boolean any = false;
        boolean busy = true;
        while (busy && !finished) {
            busy = tasks.runNow() > 0;
            busy |= client.step(exchange);
            busy |= origin.step(loop);
            any |= busy;
            if (client.isOver()) {
                finish();
            }
        }
        return any;
    }

    private void finish() {
        finished = true;
        origin.close();
        client.requireReleased();
    }

    /**
     * Waits until the exchange has ended. Fails if the origin never responds, or if the exchange takes longer than
     * {@link #PATIENCE}.
     *
     * @param doing returns the name of the thing for which the exchange waits, for the message of the exception
     */
    void await(Supplier<String> doing) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        settle();
        while (!finished) {
            if (origin.isSilent() || System.nanoTime() - end > 0) {
                String awaited = origin.isSilent() ? "the origin" : doing.get();
                throw new IllegalStateException(
                        "the exchange waits for " + awaited + ": make it respond or advance the clock");
            }
            sleep();
            settle();
        }
    }

    /**
     * Waits for tasks of other threads. If the thread is interrupted, the test fails, because every later wait would
     * return immediately.
     */
    private void sleep() {
        if (Thread.currentThread().isInterrupted()) {
            // Interrupts the calls of blocking filters.
            leave();
            throw new IllegalStateException("the test was interrupted");
        }
        tasks.run(TimeUnit.MILLISECONDS.toNanos(10));
    }

    /** Runs the pending work like {@link #settle}, and waits for blocking filters that run or are about to run. */
    void settleBlocking() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        boolean running;
        do {
            // This check precedes settle(). If a call ends after the check, settle() still processes its result.
            running = slots().stream().anyMatch(slot -> slot.calls().running() > 0);
            if (running) {
                sleep();
            }
        } while ((settle() || running) && !finished && System.nanoTime() - end < 0);
    }

    void advance(Duration duration) {
        if (!finished) {
            loop.advance(duration);
            settle();
        }
    }

    void leave() {
        if (!finished) {
            client.leave();
            exchange.onDownstreamClosed(GatewayError.downstream(ErrorKind.CLIENT_GONE, "the client disconnected"));
            finish();
        }
    }

    /** Returns the number of calls of blocking filters that have not ended, for all tests of the process. */
    static int blockingCalls() {
        return BLOCKING.calls();
    }

    boolean isFinished() {
        return finished;
    }

    TestClient client() {
        return client;
    }

    TestOrigin origin() {
        return origin;
    }

    Exchange exchange() {
        return exchange;
    }

    List<FilterSlot> slots() {
        return generation.filters().slots();
    }
}
