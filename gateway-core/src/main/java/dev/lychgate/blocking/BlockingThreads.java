package dev.lychgate.blocking;

import dev.lychgate.chain.FilterCalls;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.LogMark;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs blocking filters on separate {@link ThreadSource threads}. One instance serves all event loops, so dispatching
 * must not take a lock that another thread may hold. The queues are lock-free and have no bounds of their own, because
 * {@link #MOST} and {@link #MOST_OF_A_FILTER} limit the sum of running and queued calls. The source of threads limits
 * the running calls.
 */
public final class BlockingThreads implements AutoCloseable {
    /** Maximum number of running and queued calls per process. */
    public static final int MOST = 10_000;

    /** Maximum number of running and queued calls per filter. */
    public static final int MOST_OF_A_FILTER = 2_500;

    private final AtomicInteger calls = new AtomicInteger();
    /** Calls that have an assigned thread but have not started. */
    private final Queue<Runnable> ready = new ConcurrentLinkedQueue<>();

    private final ThreadSource source;
    private final LingeringCalls lingering = new LingeringCalls();
    /**
     * Running calls. Only the threads that run the calls change the set, never an event loop, because a change may
     * block while another thread changes the set.
     */
    private final Set<BlockingCall<?>> running = ConcurrentHashMap.newKeySet();

    /** Uses virtual threads if the JVM has them, otherwise a bounded pool. */
    public BlockingThreads() {
        this(ThreadSource.create());
    }

    /**
     * Creates an object that runs calls on the threads of {@code source}.
     *
     * @param source the source of threads, which is closed with this object
     */
    BlockingThreads(ThreadSource source) {
        this.source = source;
    }

    /**
     * Runs {@code call} on a thread that may block, with request id and route in its {@link org.slf4j.MDC}.
     *
     * @param slot the filter; the number of calls per filter is limited
     * @param mark the exchange for which the filter runs
     * @param call the filter's work
     * @return a future that completes on that thread; cancelling the future interrupts the call
     * @throws RejectedExecutionException if too many calls are queued or running
     */
    public <T> CompletableFuture<T> call(FilterSlot slot, LogMark mark, Callable<T> call) {
        FilterCalls own = slot.calls();
        if (calls.incrementAndGet() > MOST) {
            calls.decrementAndGet();
            throw new RejectedExecutionException(
                    MOST + " calls of blocking filters are running or queued, which is the maximum");
        }
        if (!own.enter(MOST_OF_A_FILTER)) {
            calls.decrementAndGet();
            throw new RejectedExecutionException(MOST_OF_A_FILTER + " calls of this filter are running or queued,"
                    + " which is the maximum" + lingering.words(slot));
        }
        BlockingCall<T> answer = new BlockingCall<>(slot, mark, call, this);
        own.add(answer);
        startNext(own);
        return answer;
    }

    /**
     * Returns whether calls run on virtual threads. On virtual threads, a waiting filter does not occupy a thread of a
     * bounded pool.
     */
    public boolean isVirtual() {
        return source instanceof VirtualThreads;
    }

    private void startNext(FilterCalls own) {
        for (Runnable next = own.next(source.mostOfAFilter()); next != null; next = own.next(source.mostOfAFilter())) {
            ready.add(next);
            source.execute(this::runReady);
        }
    }

    private void runReady() {
        Runnable next = ready.poll();
        if (next != null) {
            next.run();
        }
    }

    /**
     * Queues {@code call} again if the calls of its filter occupy more threads than the current limit of the filter.
     *
     * @return whether the call was queued; if the result is false, the caller runs the call
     */
    boolean putsBack(BlockingCall<?> call) {
        FilterCalls own = call.slot.calls();
        if (own.running() <= source.mostOfAFilter()) {
            return false;
        }
        own.add(call);
        own.ended();
        startNext(own);
        return true;
    }

    /** Tracks a cancelled {@code call} that has not ended. Called on an event loop. */
    void onGivenUp(BlockingCall<?> call) {
        lingering.add(call);
    }

    void onBegin(BlockingCall<?> call) {
        running.add(call);
    }

    void onEnd(BlockingCall<?> call) {
        running.remove(call);
        calls.decrementAndGet();
        FilterCalls own = call.slot.calls();
        own.leave();
        own.ended();
        startNext(own);
    }

    /**
     * Returns the number of running and queued calls. Calls that were cancelled while queued count until a thread
     * dequeues them.
     */
    public int calls() {
        return calls.get();
    }

    /**
     * Returns running calls with their stacks. Thread-safe.
     *
     * @param most maximum number of calls
     */
    public List<CallSight> sights(int most) {
        return running.stream()
                .limit(most)
                .map(BlockingCall::sight)
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * Logs cancelled calls that have not returned. If no virtual thread makes progress, moves blocking filters to
     * platform threads. Always called on the same thread, a few times a second.
     *
     * @param now the current time, in nanoseconds
     */
    public void look(long now) {
        lingering.look(now);
        source.look(now, ready.size(), this::runReady);
    }

    /** Interrupts running calls and rejects new ones. */
    @Override
    public void close() {
        source.close();
    }
}
