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
 * Runs filters that block, on {@link ThreadSource threads} that may. One for all event loops, which hand calls over and so
 * must find no lock that another thread might hold: the queues have none, and no bound of their own either; the bounds are
 * {@link #MOST}, {@link #MOST_OF_A_FILTER} and, for those that have a thread, that of the source.
 */
public final class BlockingThreads implements AutoCloseable {
    /** Most calls that may be under way or wait, per process. */
    public static final int MOST = 10_000;

    /** Most calls of one filter that may be under way or wait. */
    public static final int MOST_OF_A_FILTER = 2_500;

    private final AtomicInteger calls = new AtomicInteger();
    /** Those to whom a thread has been promised. */
    private final Queue<Runnable> ready = new ConcurrentLinkedQueue<>();

    private final ThreadSource source;
    private final LingeringCalls lingering = new LingeringCalls();
    /** Those that have a thread; changed on these threads alone, for it may wait for another. */
    private final Set<BlockingCall<?>> running = ConcurrentHashMap.newKeySet();

    /** Virtual threads where the JVM has them, otherwise a bounded pool. */
    public BlockingThreads() {
        this(ThreadSource.create());
    }

    /** @param source closed with this */
    BlockingThreads(ThreadSource source) {
        this.source = source;
    }

    /**
     * Runs {@code call} on a thread that may block, with request id and route in its {@link org.slf4j.MDC}.
     *
     * @param slot the filter, whose calls are bounded
     * @param mark the exchange that the filter runs for
     * @param call the filter's work
     * @return completes on that thread; cancelling it interrupts the call
     * @throws RejectedExecutionException if too many calls wait or are under way
     */
    public <T> CompletableFuture<T> call(FilterSlot slot, LogMark mark, Callable<T> call) {
        FilterCalls own = slot.calls();
        if (calls.incrementAndGet() > MOST) {
            calls.decrementAndGet();
            throw new RejectedExecutionException(MOST + " calls of blocking filters are under way or wait");
        }
        if (!own.enter(MOST_OF_A_FILTER)) {
            calls.decrementAndGet();
            throw new RejectedExecutionException(
                    MOST_OF_A_FILTER + " of its calls are under way or wait" + lingering.words(slot));
        }
        BlockingCall<T> answer = new BlockingCall<>(slot, mark, call, this);
        own.add(answer);
        startNext(own);
        return answer;
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
     * Lets {@code call} wait again if its filter has been promised more threads than it may have by now.
     *
     * @return whether that is so; otherwise the caller runs it
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

    /** {@code call} has been given up and runs on. On an event loop. */
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
     * Calls under way or waiting; those that are given up while they wait are counted until a thread comes to them, for so
     * long they take their place in the queue.
     */
    public int calls() {
        return calls.get();
    }

    /** Calls that have a thread, and where they are. Any thread. @param most how many at the most */
    public List<CallSight> sights(int most) {
        return running.stream()
                .limit(most)
                .map(BlockingCall::sight)
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * Looks after the calls: tells of those that were given up and don't return, and sees to threads if none makes headway.
     * Always on the same thread, a few times a second.
     *
     * @param now the present, in nanoseconds
     */
    public void look(long now) {
        lingering.look(now);
        source.look(now, ready.size(), this::runReady);
    }

    /** Interrupts what is under way, and takes nothing more. */
    @Override
    public void close() {
        source.close();
    }
}
