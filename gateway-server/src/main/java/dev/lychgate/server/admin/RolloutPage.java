package dev.lychgate.server.admin;

import static dev.lychgate.server.admin.AdminResponse.json;

import dev.lychgate.config.SampleRate;
import dev.lychgate.server.admin.RolloutControl.Action;
import dev.lychgate.server.admin.RolloutControl.Event;
import dev.lychgate.server.admin.RolloutControl.State;
import dev.lychgate.server.admin.RolloutControl.Status;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import dev.lychgate.server.rollout.Figures;
import dev.lychgate.server.rollout.Figures.Side;
import dev.lychgate.server.rollout.Figures.Traffic;
import dev.lychgate.server.rollout.Finding;
import dev.lychgate.server.rollout.Share;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** {@code /rollout}: the latest candidate and the stable generation, and the operations on the rollout. */
final class RolloutPage {
    static final Parameter<Action> ACTION = Parameter.needed(
            "action", Json.words(Action.values()), "pause, resume, promote, abort, or set with a share");
    static final Parameter<String> SHARE = Parameter.optional("share", "with set: the new share, such as 25%");
    static final Parameter<String> STEPS =
            Parameter.optional("rollout", "off, or steps such as 1%,10%, in place of the configured rollout");
    static final Parameter<String> HOLD =
            Parameter.optional("hold", "the minimum duration of a step, such as 10s, in place of the configured one");

    private static final Shape<Event> EVENT = new Shape<Event>("RolloutEvent")
            .field("when", Json.TIME, "When the event happened.", Event::when)
            .integer("candidate", "The generation of the candidate.", Event::candidate)
            .text("event", "The kind of the event.", Event::event)
            .text("text", "The event in words, with the numbers.", Event::text);

    private static final Shape<Share> COMPARED = new Shape<Share>("RolloutShare")
            .number(
                    "percent",
                    "The percentage of the compared exchanges to which the finding applies.",
                    share -> share.exchanges() == 0 ? 0 : 100 * share.fraction())
            .integer("exchanges", "The number of compared exchanges.", Share::exchanges);

    private static final Shape<Finding> FINDING = new Shape<Finding>("RolloutFinding")
            .text("metric", "The compared figure.", finding -> finding.metric().label())
            .optionalText("part", "The part of the figure that is compared.", Finding::part)
            .optional("route", Json.TEXT, "The route; missing if exchanges of all routes are compared.", Finding::route)
            .text("verdict", "The verdict of this figure alone.", finding -> Json.word(finding.verdict()))
            .field("candidate", COMPARED, "The exchanges of the candidate.", Finding::candidate)
            .field("stable", COMPARED, "The exchanges of the stable generation.", Finding::stable)
            .number("worse", "The evidence that the candidate is worse.", Finding::worse)
            .number("worse_at", "The evidence at which the rollout is aborted.", Finding::worseAt)
            .number("harmless", "The evidence that the candidate is not worse.", Finding::harmless)
            .number("harmless_at", "The evidence that the next step requires.", Finding::harmlessAt)
            .text("text", "The finding in words.", Finding::summary);

    private static final Shape<Traffic> TRAFFIC = new Shape<Traffic>("RolloutTraffic")
            .integer("exchanges", "Exchanges in the step.", Traffic::exchanges)
            .integer("errors", "Exchanges that failed.", Traffic::errors)
            .integer("filter_failures", "Exchanges in which a filter failed.", Traffic::filterFailures)
            .field("statuses", Json.map(Json.INTEGER), "Exchanges by class of the status.", Traffic::statuses)
            .number("rate", "Exchanges per second.", Traffic::perSecond)
            .optional("p50_ms", Json.NUMBER, "The median of the duration.", of -> millis(of.p50()))
            .optional("p99_ms", Json.NUMBER, "The 99th percentile of the duration.", of -> millis(of.p99()));

    private static final Shape<Side> SIDE = new Shape<Side>("RolloutSide")
            .integer("generation", "The number of the generation.", Side::generation)
            .include(TRAFFIC, Side::all)
            .field("routes", Json.map(TRAFFIC), "The same figures by route.", Side::routes);

    private static final Shape<Figures> FIGURES = new Shape<Figures>("RolloutFigures")
            .field("candidate", SIDE, "The candidate's figures.", Figures::candidate)
            .field("stable", SIDE, "The figures of the stable generation.", Figures::stable);

    /** The latest candidate, also as a part of {@code /generations}. */
    static final Shape<Status> STATUS = new Shape<Status>("RolloutStatus")
            .field("state", Json.words(State.values()), "The state of the rollout.", Status::state)
            .optional("candidate", Json.INTEGER, "The generation of the candidate.", of -> some(of.candidate()))
            .optional("stable", Json.INTEGER, "The stable generation.", of -> some(of.stable()))
            .optional("share", Json.TEXT, "The candidate's share of the exchanges.", RolloutPage::share)
            .optional("step", Json.INTEGER, "The number of the current step, from 1.", of -> some(of.step()))
            .list("steps", Json.TEXT, "The shares of all steps; the last is the promotion.", RolloutPage::steps)
            .optional("hold_ms", Json.INTEGER, "The minimum duration of a step.", of -> millis(of, of.hold()))
            .optional(
                    "holds_for_ms",
                    Json.INTEGER,
                    "The time until the current step has lasted for its minimum duration.",
                    of -> millis(of, of.holdsFor()))
            .optionalText("by", "The value that decides which generation gets a request.", Status::by)
            .optionalText("why", "The change for which the candidate was built.", Status::why)
            .optional("since", Json.TIME, "When the candidate was introduced.", Status::since)
            .optional("step_since", Json.TIME, "When the candidate's share last changed.", Status::stepSince)
            .optional("verdict", Json.TEXT, "The latest verdict: promote, hold or abort.", Status::verdict)
            .list("findings", FINDING, "The comparisons of the verdict.", Status::findings)
            .optional(
                    "figures",
                    FIGURES,
                    "The figures of both generations in the current step, or in the last step if the rollout has "
                            + "ended.",
                    Status::figures)
            .optional(
                    "shadow",
                    ShadowPage.SHAPE,
                    "The results of the candidate's shadow; missing without a shadow.",
                    Status::shadow)
            .text("reason", "The last change of the state, in words.", Status::reason);

    static final Shape<RolloutControl> SHAPE = new Shape<RolloutControl>(
                    "Rollout", "The latest candidate and the stable generation.")
            .include(STATUS, RolloutControl::status)
            .list("events", EVENT, "The latest changes of states, the newest first.", RolloutControl::events);

    private RolloutPage() {}

    private static @Nullable Double millis(double seconds) {
        return Double.isNaN(seconds) ? null : (Double) (1000 * seconds);
    }

    private static @Nullable Long some(long number) {
        return number == 0 ? null : (Long) number;
    }

    private static @Nullable String share(Status of) {
        return of.state().isOver() ? null : new SampleRate(of.share()).toString();
    }

    private static List<String> steps(Status of) {
        return of.steps().stream().map(step -> new SampleRate(step).toString()).toList();
    }

    private static @Nullable Long millis(Status of, Duration time) {
        return of.state().isOver() ? null : (Long) time.toMillis();
    }

    /**
     * Changes the rollout. Responds with 200 and the state, with 400 for a malformed share, or with 409 if the change
     * is not possible in the present state.
     */
    static CompletableFuture<AdminResponse> change(RolloutControl rollouts, Parameters given) throws Rejection {
        Action action = given.needed(ACTION);
        String text = given.optional(SHARE);
        if ((action == Action.SET) != (text != null)) {
            throw Rejection.malformed(
                    "the action set requires the parameter share, and the other actions do not accept it");
        }
        return rollouts.change(action, text == null ? 0 : parse(text))
                .thenApply(refused -> refused == null
                        ? json(SHAPE, rollouts)
                        : Rejection.conflict(refused).answer());
    }

    private static double parse(String text) throws Rejection {
        try {
            double share = SampleRate.parse(text).fraction();
            if (share > 0 && share < 1) {
                return share;
            }
        } catch (IllegalArgumentException e) {
            // Rejected below, like a share out of range.
        }
        throw Rejection.malformed("expected: more than 0% and less than 100%, such as 25%, in the parameter share;"
                + " the action promote assigns all exchanges");
    }

    /** Returns the rollout that an operator requested with the parameters of a reload. */
    static RolloutRequest request(Parameters given) throws Rejection {
        try {
            return RolloutRequest.of(given.optional(STEPS), given.optional(HOLD));
        } catch (IllegalArgumentException e) {
            throw Rejection.malformed("rollout and hold: " + e.getMessage());
        }
    }
}
