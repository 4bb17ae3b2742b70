package dev.lychgate.server.shadow;

import dev.lychgate.blocking.BlockingThreads;
import dev.lychgate.config.ShadowConfig;
import dev.lychgate.generation.RequestCopies;
import dev.lychgate.http.Redaction;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.server.applog.SilencedLog;
import dev.lychgate.server.shadow.ShadowReport.State;
import dev.lychgate.server.shadow.ShadowTally.Result;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shadow of a candidate. Copies of requests run through the request filters and the routes of both the stable
 * generation and the candidate, and the decisions are compared. Both generations are built separately for this purpose.
 * The runs have no effect on requests, because the filters have separate classes, objects and state, and no connection
 * is opened.
 *
 * <p>One thread with the lowest priority builds the generations, runs the copies and compares the decisions. The thread
 * pauses for at least as long as it works. A filter that does not return blocks only this thread, and the shadow then
 * stops.
 */
public final class Shadow implements AutoCloseable {
    /** The maximum time for which a filter may occupy the thread of the shadow. */
    static final Duration LONGEST = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(Shadow.class);
    private static final Duration NAP = Duration.ofMillis(5);
    private static final int LONGEST_REASON = 300;

    private final ShadowBuild.Source stable;
    private final ShadowBuild.Source candidate;
    private final ShadowTally tally;
    private final ShadowQueue queue;
    private final DecisionBook book;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ShadowThread thread = new ShadowThread(this::run);
    private boolean started;
    private volatile State state = State.STARTING;
    private volatile String reason = "";
    /** The time when the current run of one generation began; 0 outside of a run. */
    private volatile long runSince;
    /** The generation of the current run; null outside of a run. */
    private volatile @Nullable ShadowSide running;

    /**
     * @param stable builds the stable generation once more
     * @param candidate builds the candidate once more
     * @param redaction masks values from clients in examples
     * @param sum adds up the counts of all shadows
     */
    public Shadow(
            ShadowConfig config,
            ShadowBuild.Source stable,
            ShadowBuild.Source candidate,
            Redaction redaction,
            ShadowTally sum) {
        this.stable = stable;
        this.candidate = candidate;
        this.tally = new ShadowTally(sum);
        this.queue = new ShadowQueue(config.share().fraction(), MemoryBudget.OF_PROCESS, tally);
        this.book = new DecisionBook(redaction);
    }

    /** Returns the receiver of copies, which ignores copies until both generations are built. */
    public RequestCopies copies() {
        return queue;
    }

    /** Starts the thread, which builds both generations and then compares their decisions. Called at most once. */
    public synchronized void start() {
        started = true;
        thread.start();
    }

    /** Returns the results so far. Thread-safe. */
    public ShadowReport report() {
        long different = tally.count(Result.DIFFERENT);
        return new ShadowReport(
                state,
                reason,
                tally.results(),
                tally.count(Result.EQUAL) + different,
                different,
                book.groups(),
                book.further());
    }

    /**
     * Returns a latch that opens when the thread has released both generations and ended, or when it will never start.
     */
    public CountDownLatch ended() {
        return ended;
    }

    /**
     * Stops the shadow if a filter occupies its thread for too long. Called repeatedly, by any thread other than the
     * thread of the shadow.
     */
    public void check() {
        long since = runSince;
        ShadowSide side = running;
        if (since == 0 || side == null || isOver() || System.nanoTime() - since < LONGEST.toNanos()) {
            return;
        }
        String place = side.placeOf(thread.getStackTrace());
        if (runSince == since) {
            String why = (place == null ? "the run of a copied request" : place) + " did not return within "
                    + LONGEST.toSeconds()
                    + " s; the thread of the shadow was interrupted, and uses up to one CPU until this run ends";
            if (become(State.STOPPED, why)) {
                thread.interrupt();
            }
        }
    }

    private boolean isOver() {
        return state == State.STOPPED || state == State.ENDED;
    }

    /**
     * Changes the state, unless the shadow is over.
     *
     * @return whether the state has changed
     */
    private synchronized boolean become(State next, String why) {
        if (isOver()) {
            return false;
        }
        reason = why.length() > LONGEST_REASON ? why.substring(0, LONGEST_REASON) + "..." : why;
        state = next;
        if (next == State.COMPARING) {
            queue.open();
        } else {
            // The queue is closed here and not by the thread of the shadow, because a filter may block that thread.
            queue.close();
        }
        return true;
    }

    /** Ends the shadow; its results remain. Does not wait for its thread. */
    @Override
    public synchronized void close() {
        become(State.ENDED, "");
        if (started) {
            thread.interrupt();
        } else {
            ended.countDown();
        }
    }

    // ---- on the thread

    private void run() {
        Deque<ShadowBuild> builds = new ArrayDeque<>(2);
        SilencedLog silenced = SilencedLog.begin(RunRecorder::isHere);
        try (BlockingThreads blocking = new BlockingThreads()) {
            compare(side(stable, builds, blocking), side(candidate, builds, blocking));
        } catch (InterruptedException e) {
            // The shadow was closed.
        } catch (ShadowBuild.Impossible e) {
            become(State.STOPPED, String.valueOf(e.getMessage()));
        } catch (Throwable e) {
            become(State.STOPPED, "unexpected failure: " + e);
        } finally {
            // The interrupt status is cleared, because an interrupt would end the release early.
            Thread.interrupted();
            release(builds);
            silenced.close();
            ended.countDown();
        }
    }

    private static void release(Deque<ShadowBuild> builds) {
        try {
            builds.forEach(build -> build.release().run());
        } catch (RuntimeException | Error e) {
            // An object of a filter failed to close. The filter itself reports this failure.
            LOG.debug("the filters of a shadow were not released", e);
        }
    }

    private static ShadowSide side(ShadowBuild.Source source, Deque<ShadowBuild> builds, BlockingThreads blocking)
            throws Exception {
        ShadowBuild build = source.build();
        builds.addFirst(build);
        return new ShadowSide(build.config(), build.filters(), blocking);
    }

    private void compare(ShadowSide first, ShadowSide second) throws InterruptedException {
        become(State.COMPARING, "");
        RestingTime resting = new RestingTime();
        while (!isOver()) {
            ShadowedRequest request = queue.poll();
            if (request == null) {
                TimeUnit.NANOSECONDS.sleep(NAP.toNanos());
                continue;
            }
            resting.work();
            try {
                compare(request, first, second);
            } finally {
                queue.done(request);
            }
            resting.rest();
        }
    }

    private void compare(ShadowedRequest request, ShadowSide first, ShadowSide second) {
        Result result;
        try {
            long seed = ThreadLocalRandom.current().nextLong();
            Decisions was = run(first, request, seed);
            // The second generation runs even if the first generation is undecided, so that the filters of both
            // generations process the same requests.
            Decisions is = run(second, request, seed);
            List<DecisionDifference> differences = DecisionDifferences.of(was, is);
            differences.forEach(difference -> {
                tally.differs(difference.kind());
                book.add(request, difference);
            });
            Result undecided = was.undecided() == null ? is.undecided() : was.undecided();
            result = !differences.isEmpty() ? Result.DIFFERENT : undecided == null ? Result.EQUAL : undecided;
        } catch (RuntimeException | Error e) {
            // Failures of filters end in their exchange. Any other failure, such as a lack of memory, affects only this
            // copy.
            result = Result.FAILED;
        }
        if (!isOver()) {
            tally.ended(result);
        }
    }

    private Decisions run(ShadowSide side, ShadowedRequest request, long seed) {
        running = side;
        runSince = System.nanoTime() | 1;
        try {
            return side.run(request, seed);
        } finally {
            runSince = 0;
            running = null;
        }
    }
}
