package dev.lychgate.server.admin;

import dev.lychgate.server.metrics.RolloutFigures;
import dev.lychgate.server.rollout.Figures;
import dev.lychgate.server.rollout.Finding;
import dev.lychgate.server.shadow.ShadowReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Controls the rollouts of a gateway that watches its files. In a rollout, a candidate serves a share of the exchanges,
 * and the stable generation serves the rest. Thread-safe; no method blocks.
 */
public interface RolloutControl extends RolloutFigures {
    /** The state of the latest candidate. */
    enum State {
        /** No candidate has existed since the start. */
        NONE,
        /** The candidate has a share of the exchanges. The share grows step by step. */
        RUNNING,
        /** An operator stopped the growth of the share. The candidate is still compared with the stable generation. */
        PAUSED,
        /**
         * The candidate passed its last step, and is put in force as soon as a running build of the files has ended.
         */
        PROMOTING,
        /** The candidate has become the stable generation. */
        PROMOTED,
        /**
         * The candidate was withdrawn. Its files are not tried again until one of them changes or a reload is
         * requested.
         */
        ABORTED,
        /** A newer change of the files replaced the candidate. */
        SUPERSEDED;

        /** Returns whether the candidate no longer gets a share of the traffic. */
        public boolean isOver() {
            return this == NONE || compareTo(PROMOTING) > 0;
        }
    }

    /** An action of an operator. */
    enum Action {
        PAUSE,
        RESUME,
        PROMOTE,
        ABORT,
        SET
    }

    /**
     * The latest candidate. A value that does not exist, for example before the first verdict, is null.
     *
     * @param candidate the number of the candidate's generation; 0 if there is no candidate
     * @param stable the number of the generation that the candidate is compared with
     * @param share the candidate's share of the exchanges, 0 to 1
     * @param steps the shares of all steps; the last is 1
     * @param step the number of the current step, from 1; 0 if there is none
     * @param hold the minimum duration of a step
     * @param by the value that decides which generation gets a request, such as {@code client} or {@code header
     *     x-tenant}
     * @param why the change that caused the build of the candidate, in words
     * @param since the time at which the candidate was introduced
     * @param stepSince the time at which the candidate's share last changed
     * @param holdsFor the time until the current step has lasted for its minimum duration
     * @param verdict the latest verdict: {@code promote}, {@code hold} or {@code abort}
     * @param findings the comparisons of the verdict
     * @param figures the figures of both generations in the current step
     * @param shadow the results of the candidate's shadow; null if the candidate has no shadow
     * @param reason the latest change of the state, in words
     */
    record Status(
            State state,
            long candidate,
            long stable,
            double share,
            List<Double> steps,
            int step,
            Duration hold,
            String by,
            String why,
            @Nullable Instant since,
            @Nullable Instant stepSince,
            Duration holdsFor,
            @Nullable String verdict,
            List<Finding> findings,
            @Nullable Figures figures,
            @Nullable ShadowReport shadow,
            String reason) {
        public static final Status NONE = new Status(
                State.NONE,
                0,
                0,
                0,
                List.of(),
                0,
                Duration.ZERO,
                "",
                "",
                null,
                null,
                Duration.ZERO,
                null,
                List.of(),
                null,
                null,
                "no rollout since the start");

        /** Returns the status that applies if the gateway restarts with the files of an aborted candidate. */
        public static Status aborted(String reason) {
            return new Status(
                    State.ABORTED,
                    0,
                    0,
                    0,
                    List.of(),
                    0,
                    Duration.ZERO,
                    "",
                    "",
                    null,
                    null,
                    Duration.ZERO,
                    null,
                    List.of(),
                    null,
                    null,
                    reason);
        }

        public Status {
            steps = List.copyOf(steps);
            findings = List.copyOf(findings);
        }
    }

    /**
     * A change of the state of a rollout.
     *
     * @param candidate the number of the candidate's generation
     * @param event {@code begun}, {@code step}, {@code held}, {@code paused}, {@code resumed}, {@code set}, {@code
     *     promoted}, {@code aborted} or {@code superseded}
     * @param text the text of the line in the log
     */
    record Event(Instant when, long candidate, String event, String text) {}

    Status status();

    /** Returns the latest changes of states, the newest first. */
    List<Event> events();

    /**
     * Changes the running rollout.
     *
     * @param share the new share of the candidate, between 0 and 1, for {@link Action#SET}
     * @return null if the change took effect, otherwise the reason why the change is impossible in the present state
     */
    CompletableFuture<@Nullable String> change(Action action, double share);
}
