package dev.lychgate.server.reload;

import dev.lychgate.generation.Generation;
import dev.lychgate.generation.RequestCopies;
import dev.lychgate.loop.SerialExecutor;
import dev.lychgate.server.admin.Audit;
import dev.lychgate.server.admin.RolloutControl;
import dev.lychgate.server.admin.RolloutRequest;
import dev.lychgate.server.shadow.Shadow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the rollouts of a gateway, one at a time. During a rollout, a thread checks it four times a second.
 *
 * <p>A thread that needs the lock of the {@link Reloader} and the lock of this object acquires the lock of the reloader
 * first. Builds do not hold the lock of this object, so a candidate can be aborted during a build. Only a promotion
 * waits for a running build, because a promotion changes the history.
 */
final class Rollouts implements RolloutControl, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Rollouts.class);
    private static final Duration LOOK = Duration.ofMillis(250);
    /** The largest number of events that are kept. */
    private static final int EVENTS = 32;

    private static final String NONE_RUNS = "no rollout is running";

    private final @Nullable Entrance entrance;
    private final CandidateJudge judge;
    private final @Nullable RolloutStore store;
    private final RolloutClock clock;
    private final Shadows shadows;
    private final SerialExecutor commands = SerialExecutor.passing("lychgate-rollout-commands");
    private final Deque<Event> events = new ArrayDeque<>();
    private final Map<State, Long> ended = new ConcurrentHashMap<>();
    private volatile Status status = Status.NONE;
    private volatile List<Event> newest = List.of();
    private volatile boolean closed;
    private volatile Completion completion = new Completion(Runnable::run, () -> NONE_RUNS);
    private volatile Consumer<Event> listener = event -> {};
    private @Nullable Current current;
    private @Nullable Held held;
    private @Nullable Thread thread;

    /** Introduces candidates into a gateway. */
    interface Entrance {
        /**
         * Introduces a candidate with the share of the first step. The new candidate replaces an earlier candidate. May
         * block.
         *
         * @param copies receives copies of the requests that the stable generation serves in the first step; null
         *     if no requests are copied
         * @throws dev.lychgate.config.ConfigException if the candidate is refused; in this case, nothing has
         *     changed
         */
        CandidateTraffic introduce(BuiltGeneration next, RolloutPlan plan, @Nullable RequestCopies copies);
    }

    /**
     * Completes promotions.
     *
     * @param executor runs the promotion on a thread that may wait for a build
     * @param promotion acquires the lock of the reloader and calls {@link #promote}; returns why the promotion is
     *     impossible, or null
     */
    private record Completion(Executor executor, Supplier<@Nullable String> promotion) {}

    /** The running rollout. */
    private static final class Current {
        private final Rollout rollout;
        private final BuiltGeneration built;
        private final String why;
        /** Whether the promotion has been submitted. */
        private boolean completes;

        private boolean failed;

        Current(Rollout rollout, BuiltGeneration built, String why) {
            this.rollout = rollout;
            this.built = built;
            this.why = why;
        }
    }

    /**
     * The files on disk from which an aborted candidate was built.
     *
     * @param files null if the candidate was built before a restart
     */
    private record Held(String fingerprint, @Nullable FilesRead files) {
        boolean isOf(FilesRead now) {
            return fingerprint.equals(now.onDisk())
                    && (files == null || files.settings().equals(now.settings()));
        }
    }

    /** A completed promotion. */
    record Promoted(Generation generation, BuiltGeneration built, String why) {}

    /**
     * @param entrance introduces candidates; null if each change takes effect at once
     * @param store saves the stable generation for a restart; null if a restart uses the files on disk
     */
    Rollouts(
            @Nullable Entrance entrance,
            CandidateJudge judge,
            @Nullable RolloutStore store,
            RolloutClock clock,
            Shadows shadows) {
        this.entrance = entrance;
        this.judge = judge;
        this.store = store;
        this.clock = clock;
        this.shadows = shadows;
    }

    /** Returns an instance for a gateway in which each change takes effect at once. */
    static Rollouts none() {
        Shadows none = new Shadows(() -> {
            throw new IllegalStateException("a gateway without rollouts");
        });
        return new Rollouts(null, CandidateJudge.NONE, null, RolloutClock.SYSTEM, none);
    }

    /** Sets the listener of all events, which must not block. Called once, before the first candidate. */
    void reportTo(Consumer<Event> events) {
        listener = events;
    }

    /** Sets the executor and the action that complete promotions. Called once, before the first candidate. */
    void completedBy(Executor executor, Supplier<@Nullable String> promotion) {
        completion = new Completion(executor, promotion);
    }

    // ---- for the reloader, with its lock

    /** Returns the steps for a change; null if the change takes effect at once. */
    @Nullable
    RolloutPlan plan(FilesRead next, FilesRead stable, RolloutRequest request) {
        if (entrance == null || (request.isConfigured() && next.servesLike(stable))) {
            return null;
        }
        return RolloutPlan.of(next.config().rollout(), request);
    }

    /**
     * Returns whether the files belong to the running candidate, or to an aborted candidate that is not tried again. If
     * so, only certificates among them take effect.
     *
     * @param requested whether a reload was requested, so that the files of an aborted candidate are tried again
     */
    synchronized boolean settle(FilesRead files, boolean requested, String why) {
        if (current != null && files.isBuiltLike(current.built.files())) {
            LOG.info(
                    "{}; nothing has changed, so the rollout of generation {} continues",
                    why,
                    current.rollout.candidate());
            if (store != null) {
                store.candidateIs(files);
            }
            return true;
        }
        if (requested || held == null || !held.isOf(files)) {
            return false;
        }
        LOG.warn(
                "{}; the files of the aborted candidate are not tried again until one of them changes or a reload is"
                        + " requested; reason of the abort: {}",
                why,
                status.reason());
        return true;
    }

    /**
     * Begins a rollout. The new rollout supersedes a running rollout.
     *
     * @param stable the generation in force
     * @return the number of the candidate
     * @throws dev.lychgate.config.ConfigException if the candidate is refused; in this case, a running rollout
     *     continues
     */
    synchronized long introduce(
            History.Taken stable, BuiltGeneration next, RolloutPlan plan, RolloutRequest request, String why) {
        if (store != null) {
            store.save(stable.built().files(), next.files(), request);
        }
        Shadow shadow = shadows.of(plan.config(), stable.built().files(), next.files());
        CandidateTraffic candidate = enter(next, plan, shadow);
        Current before = current;
        if (before != null) {
            before.rollout.superseded("generation " + candidate.number() + " replaces the candidate (" + why + ")");
            over(before);
        }
        held = null;
        ShadowStep step = shadow == null ? null : ShadowStep.of(plan, shadow, candidate.number());
        Current begun = new Current(
                new Rollout(plan, stable.number(), why, candidate, judge, step, clock, this::record), next, why);
        current = begun;
        begun.rollout.begin();
        publish(begun);
        startLooking();
        return candidate.number();
    }

    private CandidateTraffic enter(BuiltGeneration next, RolloutPlan plan, @Nullable Shadow shadow) {
        Entrance open = entrance;
        boolean entered = false;
        try {
            if (open == null) {
                throw new IllegalStateException("a gateway without rollouts");
            }
            CandidateTraffic candidate = open.introduce(next, plan, shadow == null ? null : shadow.copies());
            entered = true;
            return candidate;
        } finally {
            if (!entered) {
                if (shadow != null) {
                    shadow.close();
                }
                if (store != null) {
                    store.undo();
                }
            }
        }
    }

    /**
     * Ends a running rollout and discards the record of an aborted rollout, because another generation was put into
     * force at once.
     */
    synchronized void replaced(long number, String why) {
        Current running = current;
        if (running != null) {
            running.rollout.replaced("generation " + number + " was put into force at once (" + why + ")");
            over(running);
        }
        forget();
    }

    /**
     * Aborts a running rollout and discards the record of an aborted rollout, because the files match the stable
     * generation again.
     */
    synchronized void returned(String why) {
        Current running = current;
        if (running != null) {
            running.rollout.retract(why + ": the files match the stable generation again");
            settle(running);
        }
        forget();
    }

    private void forget() {
        held = null;
        if (store != null) {
            store.clear();
        }
    }

    /** Aborts a running rollout. The candidate's files are not tried again until they change. */
    synchronized void abort(String because) {
        Current running = current;
        if (running != null) {
            running.rollout.abort(because);
            settle(running);
        }
    }

    /** Saves another stable generation while the files on disk still belong to an aborted candidate. */
    synchronized void stableIs(FilesRead stable) {
        if (held != null && store != null) {
            store.stableIs(stable);
        }
    }

    /** Continues with another number of the stable generation, because its certificates were renewed. */
    synchronized void renewed(long stable) {
        Current running = current;
        if (running != null) {
            running.rollout.stableIs(stable);
            publish(running);
        }
    }

    /**
     * Makes the candidate the stable generation if the rollout is in the state {@code PROMOTING}.
     *
     * @return null if the rollout is not in this state, or if the promotion fails
     */
    synchronized @Nullable Promoted promote() {
        Current running = current;
        if (running == null || running.rollout.state() != State.PROMOTING) {
            return null;
        }
        Generation generation;
        try {
            generation = running.rollout.promoted();
        } catch (RuntimeException e) {
            LOG.error(
                    "generation {} can't be promoted because of an unexpected failure, so its rollout is aborted",
                    running.rollout.candidate(),
                    e);
            abort("the promotion failed unexpectedly: " + e);
            return null;
        }
        over(running);
        forget();
        return new Promoted(generation, running.built, running.why);
    }

    /** Continues after a restart, with the journal of a rollout that was interrupted or aborted before. */
    synchronized void restarted(RolloutJournal.Entry entry, FilesRead onDisk) {
        if (store != null) {
            store.resume(entry);
        }
        if (entry.stage() == RolloutJournal.Stage.ABORTED) {
            held = new Held(entry.candidate(), null);
            status = Status.aborted("before the restart: " + entry.reason());
        }
    }

    // ---- looks

    private void startLooking() {
        if (thread == null && !closed) {
            Thread looking = new Thread(this::looking, "lychgate-rollout");
            looking.setDaemon(true);
            thread = looking;
            looking.start();
        }
    }

    private void looking() {
        try {
            while (look()) {
                Thread.sleep(LOOK.toMillis());
            }
        } catch (InterruptedException e) {
            // The gateway was closed.
        }
    }

    /**
     * Judges the running rollout, and takes the next step if it is due.
     *
     * @return whether checks continue
     */
    synchronized boolean look() {
        Current running = current;
        if (running == null || closed) {
            thread = null;
            return false;
        }
        try {
            running.rollout.look();
        } catch (RuntimeException | LinkageError | AssertionError e) {
            if (!running.failed) {
                running.failed = true;
                LOG.error(
                        "the rollout of generation {} can't be judged because of an unexpected failure; the share of the"
                                + " candidate does not change until a later check succeeds, and further failures are not"
                                + " logged",
                        running.rollout.candidate(),
                        e);
            }
        }
        settle(running);
        return true;
    }

    /** Acts on the state of a rollout, and publishes the state. */
    private void settle(Current running) {
        State state = running.rollout.state();
        if (state == State.PROMOTING && !running.completes) {
            running.completes = true;
            complete();
        } else if (state == State.RUNNING || state == State.PAUSED) {
            running.completes = false;
        } else if (state == State.ABORTED) {
            hold(running);
            over(running);
        }
        publish(running);
    }

    private void hold(Current aborted) {
        FilesRead files = aborted.built.files();
        String fingerprint = files.onDisk();
        held = fingerprint == null ? null : new Held(fingerprint, files);
        if (store != null) {
            store.aborted(aborted.rollout.reason());
        }
    }

    private void complete() {
        Completion way = completion;
        try {
            way.executor().execute(() -> {
                String refused = way.promotion().get();
                LOG.debug("automatic promotion: {}", refused == null ? "done" : refused);
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("the gateway closed before the promotion", e);
        }
    }

    /**
     * Removes a rollout that has ended. Exchanges in progress finish with their candidate even if it was not promoted.
     */
    private void over(Current last) {
        State state = last.rollout.state();
        ended.merge(state, 1L, Long::sum);
        if (state != State.PROMOTED) {
            last.built.forget();
        }
        current = null;
        publish(last);
    }

    private void publish(Current of) {
        status = of.rollout.status();
    }

    private void record(Event event) {
        events.addFirst(event);
        if (events.size() > EVENTS) {
            events.removeLast();
        }
        newest = new ArrayList<>(events);
        Audit.rollout(event);
        listener.accept(event);
    }

    // ---- for operators

    @Override
    public Status status() {
        return status;
    }

    @Override
    public List<Event> events() {
        return List.copyOf(newest);
    }

    @Override
    public CompletableFuture<@Nullable String> change(Action action, double share) {
        CompletableFuture<@Nullable String> ordered =
                CompletableFuture.supplyAsync(() -> order(action, share), commands);
        if (action != Action.PROMOTE) {
            return ordered;
        }
        Completion way = completion;
        return ordered.thenCompose(refused -> refused == null
                ? CompletableFuture.supplyAsync(way.promotion(), way.executor())
                : CompletableFuture.completedFuture(refused));
    }

    private synchronized @Nullable String order(Action action, double share) {
        Current running = current;
        if (running == null) {
            return NONE_RUNS;
        }
        Rollout rollout = running.rollout;
        String refused = switch (action) {
            case PAUSE -> rollout.pause();
            case RESUME -> rollout.resume();
            case SET -> rollout.set(share);
            case ABORT -> rollout.stop();
            case PROMOTE -> rollout.order();
        };
        if (action == Action.PROMOTE) {
            // The caller waits for the completion.
            running.completes = true;
        }
        settle(running);
        return refused;
    }

    // ---- for metrics

    @Override
    public double share() {
        Status now = status;
        return now.state().isOver() ? Double.NaN : now.share();
    }

    @Override
    public void exchanges(Exchanges to) {
        if (judge instanceof MeteredJudge metered) {
            metered.exchanges(to);
        }
    }

    @Override
    public long ended(String result) {
        return ended.getOrDefault(State.valueOf(result.toUpperCase(Locale.ROOT)), 0L);
    }

    @Override
    public Map<String, Long> shadowed() {
        return shadows.tally().results();
    }

    @Override
    public Map<String, Long> shadowDifferences() {
        return shadows.tally().differences();
    }

    /** Stops the checks for the duration of a drain. The shares stay as they are. */
    void stop() {
        closed = true;
    }

    /** Ends the rollout after the gateway was drained or closed. The journal stays for the next start. */
    @Override
    public void close() {
        stop();
        commands.close();
        synchronized (this) {
            if (current != null) {
                current.rollout.endShadow();
                current.built.close();
                current = null;
            }
        }
    }
}
