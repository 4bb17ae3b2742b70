package dev.lychgate.loop;

import io.netty.channel.EventLoop;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * One event loop and what it lends to everything that lives on it. Nothing here may be used from another thread, but
 * {@link #eventLoop()}, {@link #index()} and {@link #sweeps()}.
 */
public sealed class Loop permits VirtualLoop {
    private final EventLoop eventLoop;
    private final int index;
    private final DeadlineWheel deadlines;
    private final SplittableRandom random;
    private final Turn turn;
    private final LoopAllocator allocator = new LoopAllocator();
    private final HeldMemory memory;
    private volatile long sweeps;

    /**
     * @param eventLoop the loop
     * @param index its place among the gateway's loops, from 0
     * @param turn ended by whatever runs {@code eventLoop}, whenever that has looked at its sockets
     */
    public Loop(EventLoop eventLoop, int index, Turn turn) {
        this(eventLoop, index, turn, System.nanoTime());
    }

    /** @param now what the clock says, in nanoseconds */
    Loop(EventLoop eventLoop, int index, Turn turn, long now) {
        this.eventLoop = eventLoop;
        this.index = index;
        this.deadlines = new DeadlineWheel(now);
        this.random = new SplittableRandom();
        this.turn = turn;
        this.memory = new HeldMemory(MemoryBudget.OF_PROCESS, eventLoop, deadlines);
    }

    /** Starts the sweep of deadlines, and the stack of buffers; call once. */
    public void start() {
        eventLoop.execute(allocator::bind);
        eventLoop.scheduleAtFixedRate(this::sweep, DeadlineWheel.TICK, DeadlineWheel.TICK, TimeUnit.NANOSECONDS);
    }

    /** Tells what is due. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, the loop
    void sweep() {
        sweeps++;
        deadlines.sweep(clock());
    }

    /**
     * Returns how often deadlines were swept since the start: ten times a second while the loop makes progress. A number that stays
     * the same means that the loop stands still. Any thread may call it.
     */
    public long sweeps() {
        return sweeps;
    }

    /** The present, in nanoseconds; a real reading of the clock, which the wheel hears of too. */
    public long nanoTime() {
        long time = clock();
        deadlines.observe(time);
        return time;
    }

    /** Reads the clock. */
    long clock() {
        return System.nanoTime();
    }

    public EventLoop eventLoop() {
        return eventLoop;
    }

    /** Place among the gateway's loops, from 0: the index into arrays that hold one thing per loop. */
    public int index() {
        return index;
    }

    public DeadlineWheel deadlines() {
        return deadlines;
    }

    public SplittableRandom random() {
        return random;
    }

    /** The buffers of channels that live on this loop. */
    public LoopAllocator allocator() {
        return allocator;
    }

    /** What unfinished messages of this loop hold of the process's memory. */
    public HeldMemory memory() {
        return memory;
    }

    /** How much this loop begins before it looks at its sockets again. */
    public Turn turn() {
        return turn;
    }

    /** Whether the caller is on this loop; asserted by everything that lives on it. */
    public boolean inLoop() {
        return eventLoop.inEventLoop();
    }
}
