package dev.lychgate.server.reload;

import dev.lychgate.config.Durations;
import dev.lychgate.config.SampleRate;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.admin.RolloutControl;
import dev.lychgate.server.admin.RolloutControl.State;
import dev.lychgate.server.admin.RolloutControl.Status;
import dev.lychgate.server.rollout.Figures;
import dev.lychgate.server.rollout.Judgement;
import dev.lychgate.server.rollout.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state machine of one candidate. Each step has a minimum duration, its hold. After its hold, a step ends as soon
 * as the comparison permits the next step. The verdict to abort ends the rollout at any time. The last step is the
 * promotion. It is not judged, because a candidate that serves all exchanges cannot be compared with another
 * generation. Guarded by the lock of {@link Rollouts}.
 */
final class Rollout {
    private static final Logger LOG = LoggerFactory.getLogger(Rollout.class);

    private static final Map<State, Set<State>> NEXT = Map.of(
            State.RUNNING,
            EnumSet.of(State.PAUSED, State.PROMOTING, State.ABORTED, State.SUPERSEDED),
            State.PAUSED,
            EnumSet.of(State.RUNNING, State.PROMOTING, State.ABORTED, State.SUPERSEDED),
            State.PROMOTING,
            EnumSet.of(State.RUNNING, State.PAUSED, State.PROMOTED, State.ABORTED, State.SUPERSEDED));

    private final RolloutPlan plan;
    private final CandidateTraffic candidate;
    private final CandidateJudge judge;
    /** The first step, in which decisions are compared; null if the rollout has no shadow. */
    private final @Nullable ShadowStep shadow;

    private final RolloutClock clock;
    private final Consumer<RolloutControl.Event> events;
    private final String why;
    private final Instant since;
    private State state = State.RUNNING;
    private long stable;
    private double share;
    private Instant stepSince;
    private long stepBegan;
    private Judgement judgement = Judgement.NONE;
    /** The figures of the last step; null until the rollout ends. */
    private @Nullable Figures figures;

    private boolean toldHold;
    /** Whether the last report about a delay gave this reason: the shadow has compared too few requests. */
    private boolean toldWait;
    /** Whether an operator ordered the promotion, so that no verdict stops it. */
    private boolean forced;

    private String reason = "";

    /**
     * @param stable the number of the stable generation
     * @param why names the change from which the candidate was built
     * @param candidate the candidate, which already has the share of the first step
     * @param shadow compares the decisions of both generations in a first step, in which the candidate's share is
     *     0; null if there is no such step
     * @param events receives an event for each change of the state
     */
    Rollout(
            RolloutPlan plan,
            long stable,
            String why,
            CandidateTraffic candidate,
            CandidateJudge judge,
            @Nullable ShadowStep shadow,
            RolloutClock clock,
            Consumer<RolloutControl.Event> events) {
        this.plan = plan;
        this.stable = stable;
        this.why = why;
        this.candidate = candidate;
        this.judge = judge;
        this.shadow = shadow;
        this.clock = clock;
        this.events = events;
        this.since = clock.now();
        this.stepSince = since;
        this.stepBegan = clock.nanos();
        this.share = plan.first();
    }

    void begin() {
        judge.begin(stable, candidate.number(), plan);
        String first = shadow == null
                ? percent(share) + " of the exchanges by " + plan.by()
                : "a shadow of " + shadow.share() + " of the requests";
        tell(
                "begun",
                words("begins") + " with " + first + ", step 1 of "
                        + plan.steps().size() + ", hold " + Durations.print(plan.hold(share)) + "; generation " + stable
                        + " serves the rest (" + why + ")");
        if (shadow != null) {
            shadow.begin();
        }
    }

    State state() {
        return state;
    }

    long candidate() {
        return candidate.number();
    }

    double share() {
        return state.isOver() ? 0 : share;
    }

    String reason() {
        return reason;
    }

    /** Judges the candidate, and takes the next step if it is due. */
    void look() {
        if (state.isOver() || forced) {
            return;
        }
        judgement = judge.judgement();
        if (shadow != null) {
            shadow.look();
        }
        if (judgement.verdict() == Verdict.ABORT) {
            abort("verdict abort: " + numbers());
        } else if (state == State.RUNNING && holdsFor() == 0) {
            if (isShadowed() ? permits() : judgement.verdict() == Verdict.PROMOTE) {
                advance();
            } else {
                hold();
            }
        }
    }

    /** Returns whether the shadow step is running: the candidate has no share yet, and its decisions are compared. */
    private boolean isShadowed() {
        return shadow != null && shadow.isOpen();
    }

    private boolean permits() {
        return shadow == null || shadow.permits();
    }

    private boolean isRefused() {
        return shadow != null && shadow.isRefused();
    }

    /** Ends the shadow; its results remain. */
    void endShadow() {
        if (shadow != null) {
            shadow.end();
        }
    }

    /** Returns the time, in nanoseconds, until the current step has lasted for its minimum duration. */
    private long holdsFor() {
        return Math.max(0, plan.hold(share).toNanos() - (clock.nanos() - stepBegan));
    }

    private void advance() {
        double next = plan.after(share);
        if (next >= 1) {
            become(State.PROMOTING);
        } else {
            String before = percent(share) + " for " + stepTime();
            String numbers = numbers();
            step(next);
            tell(
                    "step",
                    words("grows") + " to " + percent(share) + ", step " + plan.step(share) + " of "
                            + plan.steps().size() + ", after " + before + ": " + numbers);
        }
    }

    /**
     * Reports once per step, with the reason, that the step lasts longer than its minimum duration. If the reason was
     * that too few requests have been compared, and now an operator must decide, reports again with the new reason.
     */
    private void hold() {
        boolean waits = isShadowed() && !isRefused();
        if (!toldHold || (toldWait && !waits)) {
            toldHold = true;
            toldWait = waits;
            String why = isShadowed()
                    ? waits
                            ? "too few requests have been compared"
                            : "the shadow found differences or stopped, so an operator must decide"
                    : "the verdict is still open";
            tell(
                    "held",
                    words("holds") + " at " + percent(share) + " longer than the configured hold, because " + why + ": "
                            + numbers() + "; the rollout continues when this reason no longer applies; 'lychgate"
                            + " rollout promote' or 'lychgate rollout abort' decides at once");
        }
    }

    private void step(double next) {
        endShadow();
        share = next;
        candidate.split(next);
        judge.step();
        judgement = Judgement.NONE;
        stepSince = clock.now();
        stepBegan = clock.nanos();
        toldHold = false;
    }

    private String stepTime() {
        return Durations.print(Duration.ofMillis((clock.nanos() - stepBegan) / 1_000_000));
    }

    // ---- an operator

    /**
     * Stops the growth of the share.
     *
     * @return the reason why a pause is impossible; null if the rollout is paused now
     */
    @Nullable
    String pause() {
        if (isOver()) {
            return over();
        }
        if (state != State.PAUSED) {
            become(State.PAUSED);
            tell(
                    "paused",
                    words("is paused") + " at " + percent(share)
                            + " by an operator; a comparison can still abort the rollout; 'lychgate rollout resume'"
                            + " continues it");
        }
        return null;
    }

    @Nullable
    String resume() {
        if (isOver()) {
            return over();
        }
        if (state == State.PAUSED) {
            become(State.RUNNING);
            tell("resumed", words("is resumed") + " at " + percent(share) + " by an operator");
        }
        return null;
    }

    /**
     * Changes the share. The next step is the step with the next larger share.
     *
     * @param next more than 0, and less than 1
     */
    @Nullable
    String set(double next) {
        if (isOver()) {
            return over();
        }
        String before = percent(share);
        if (state == State.PROMOTING) {
            become(State.RUNNING);
        }
        step(next);
        double then = plan.after(next);
        tell(
                "set",
                words("is set") + " from " + before + " to " + percent(next) + " by an operator; the next step is "
                        + (then >= 1 ? "the promotion" : percent(then)));
        return null;
    }

    /** Orders the promotion regardless of the verdict. {@link #promoted} completes it. */
    @Nullable
    String order() {
        if (isOver()) {
            return over();
        }
        forced = true;
        if (state != State.PROMOTING) {
            become(State.PROMOTING);
        }
        return null;
    }

    /**
     * Returns whether operators can no longer change the rollout, because it has ended or its promotion was ordered.
     */
    private boolean isOver() {
        return state.isOver() || forced;
    }

    private String over() {
        return "no rollout is running";
    }

    /** Aborts the rollout on behalf of an operator. */
    @Nullable
    String stop() {
        if (isOver()) {
            return over();
        }
        abort("ordered by an operator; the verdict was " + verdict() + ": " + numbers());
        return null;
    }

    // ---- the end

    /** Makes the candidate the stable generation. */
    Generation promoted() {
        Generation taken = candidate.promote();
        end(State.PROMOTED);
        tell(
                "promoted",
                words("is promoted") + " after " + percent(share) + " for " + stepTime() + ": "
                        + (forced ? "ordered by an operator; the verdict was " + verdict() + ": " : "") + numbers()
                        + "; the candidate replaces generation " + stable);
        return taken;
    }

    /** Withdraws the candidate, whose files are still on disk. */
    void abort(String because) {
        abort(
                because,
                ", and the refused files are not tried again until one of them changes or a reload is requested");
    }

    /** Withdraws the candidate, whose files are no longer on disk. */
    void retract(String because) {
        abort(because, "");
    }

    private void abort(String because, String then) {
        candidate.withdraw();
        end(State.ABORTED);
        tell(
                "aborted",
                words("is aborted") + " at " + percent(share) + " after " + stepTime() + ": " + because
                        + "; generation " + stable + " serves all exchanges" + then);
    }

    /**
     * Withdraws the candidate, because another generation was put into force at once.
     *
     * @param because a text that names the new generation
     */
    void replaced(String because) {
        candidate.withdraw();
        superseded(because);
    }

    /**
     * Ends the rollout, because another candidate has replaced the candidate of this rollout.
     *
     * @param because a text that names the new candidate
     */
    void superseded(String because) {
        end(State.SUPERSEDED);
        tell("superseded", words("is superseded") + " at " + percent(share) + " after " + stepTime() + ": " + because);
    }

    private void end(State last) {
        become(last);
        endShadow();
        figures = judge.figures();
        judge.end();
    }

    /** Begins the comparison anew, because a renewal of certificates gave the stable generation another number. */
    void stableIs(long number) {
        stable = number;
        judge.begin(number, candidate.number(), plan);
        judgement = Judgement.NONE;
    }

    private void become(State next) {
        if (!NEXT.getOrDefault(state, Set.of()).contains(next)) {
            throw new IllegalStateException("a rollout in state " + state + " can't change to " + next);
        }
        state = next;
    }

    Status status() {
        boolean over = state.isOver();
        return new Status(
                state,
                candidate.number(),
                stable,
                share(),
                plan.steps(),
                over ? 0 : plan.step(share),
                plan.hold(share),
                plan.by(),
                why,
                since,
                stepSince,
                over ? Duration.ZERO : Duration.ofNanos(holdsFor()),
                verdict(),
                judgement.findings(),
                over ? figures : judge.figures(),
                shadow == null ? null : shadow.report(),
                reason);
    }

    private String verdict() {
        return judgement.verdict().name().toLowerCase(Locale.ROOT);
    }

    /** Returns the findings that cause the verdict; during a shadow step, the results of the shadow. */
    private String numbers() {
        if (shadow != null && isShadowed() && judgement.verdict() != Verdict.ABORT) {
            return "shadow: " + shadow.report().summary();
        }
        String summary = judgement.summary();
        return summary.isEmpty() ? "no exchanges of the two generations were compared" : summary;
    }

    private String words(String event) {
        return "the rollout of generation " + candidate.number() + " " + event;
    }

    private void tell(String event, String text) {
        reason = text;
        if (event.equals("aborted")) {
            LOG.warn("{}", text);
        } else {
            LOG.info("{}", text);
        }
        events.accept(new RolloutControl.Event(clock.now(), candidate.number(), event, text));
    }

    static String percent(double share) {
        return new SampleRate(share).toString();
    }
}
