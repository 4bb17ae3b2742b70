package dev.lychgate.loop;

import io.netty.channel.EventLoop;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * One event loop, with services for the objects that it runs. Only {@link #eventLoop()}, {@link #index()},
 * {@link #sweeps()} and {@link #onLoop} may be called from other threads.
 */
public sealed class Loop permits VirtualLoop {
    private final EventLoop eventLoop;
    private final int index;
    private final DeadlineWheel deadlines;
    private SplittableRandom random;
    private final Turn turn;
    private final LoopAllocator allocator = new LoopAllocator();
    private final HeldMemory memory;
    private volatile long sweeps;

    /**
     * Creates the services of an event loop.
     *
     * @param eventLoop the loop
     * @param index position in the list of the gateway's loops, from 0
     * @param turn the quota of requests per turn; the runner of {@code eventLoop} ends the turn after each pass over
     *     the ready sockets
     */
    public Loop(EventLoop eventLoop, int index, Turn turn) {
        this(eventLoop, index, turn, System.nanoTime());
    }

    /**
     * Creates the services of an event loop with a given time.
     *
     * @param now initial clock reading, in nanoseconds
     */
    Loop(EventLoop eventLoop, int index, Turn turn, long now) {
        this.eventLoop = eventLoop;
        this.index = index;
        this.deadlines = new DeadlineWheel(now);
        this.random = new SplittableRandom();
        this.turn = turn;
        this.memory = new HeldMemory(MemoryBudget.OF_PROCESS, eventLoop, deadlines);
    }

    /** Starts the sweep of deadlines and binds the buffer stack to the loop thread; called once. */
    public void start() {
        eventLoop.execute(allocator::bind);
        eventLoop.scheduleAtFixedRate(this::sweep, DeadlineWheel.TICK, DeadlineWheel.TICK, TimeUnit.NANOSECONDS);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, the loop
    void sweep() {
        sweeps++;
        deadlines.sweep(clock());
    }

    /**
     * Returns the number of deadline sweeps since the start. While the loop makes progress, the number increases by ten
     * per second. If it does not change, the loop is blocked. Thread-safe.
     */
    public long sweeps() {
        return sweeps;
    }

    /** Reads the clock, in nanoseconds, and advances the clock of the deadline wheel to this time. */
    public long nanoTime() {
        long time = clock();
        deadlines.observe(time);
        turn.timed();
        return time;
    }

    /**
     * Returns the time of the turn, in nanoseconds: the latest {@linkplain #nanoTime reading} of the clock in this
     * turn. If there is none yet, reads the clock, which costs about 20 ns.
     *
     * <p>Under full load, the last event of a turn is handled up to a millisecond after this time. A filter may take
     * longer than a millisecond. The gateway therefore calls {@link #nanoTime} at the end of a filter, and all later
     * steps of the turn use the new time.
     */
    public long turnTime() {
        return turn.isTimed() ? deadlines.now() : nanoTime();
    }

    long clock() {
        return System.nanoTime();
    }

    public EventLoop eventLoop() {
        return eventLoop;
    }

    /**
     * Returns the position in the list of the gateway's loops, from 0. The position is the index into arrays with one
     * element per loop.
     */
    public int index() {
        return index;
    }

    public DeadlineWheel deadlines() {
        return deadlines;
    }

    public SplittableRandom random() {
        return random;
    }

    final void random(SplittableRandom other) {
        random = other;
    }

    /** Returns the allocator for channels of this loop. */
    public LoopAllocator allocator() {
        return allocator;
    }

    /** Returns the account of the memory that unfinished messages of this loop hold. */
    public HeldMemory memory() {
        return memory;
    }

    /** Returns the quota of requests that one loop iteration may start. */
    public Turn turn() {
        return turn;
    }

    /** Returns whether the caller is on this loop; used in assertions. */
    public boolean inLoop() {
        return eventLoop.inEventLoop();
    }

    /**
     * Runs {@code task}, the next part of a long task, after the sockets that are ready were served. Must be called on
     * the loop.
     */
    public void later(Runnable task) {
        if (!turn.later(task)) {
            eventLoop.execute(task);
        }
    }

    /**
     * Runs {@code task} on the event loop: immediately if the caller is on the loop, otherwise later. Thread-safe. A
     * loop that has ended drops the task, because the exchanges that the task concerns have also ended. This method
     * throws no exception, because the caller may be a thread of a filter.
     */
    public void onLoop(Runnable task) {
        if (inLoop()) {
            task.run();
            return;
        }
        try {
            eventLoop.execute(task);
        } catch (RejectedExecutionException e) {
            if (!eventLoop.isShuttingDown()) {
                throw e;
            }
        }
    }
}
