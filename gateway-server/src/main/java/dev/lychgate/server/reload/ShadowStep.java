package dev.lychgate.server.reload;

import dev.lychgate.config.ShadowConfig;
import dev.lychgate.server.shadow.Shadow;
import dev.lychgate.server.shadow.ShadowReport;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first step of a rollout with a shadow. In this step, the candidate has no share, and its decisions are compared
 * with the decisions of the stable generation. Guarded by the lock of {@link Rollouts}.
 */
final class ShadowStep {
    private static final Logger LOG = LoggerFactory.getLogger(ShadowStep.class);
    /** The largest number of groups of differences that are logged. The dashboard and the command show all groups. */
    private static final int LOGGED = 10;

    private final ShadowConfig config;
    private final long candidate;
    /** The shadow that compares the decisions; null after the end of the step. */
    private @Nullable Shadow shadow;
    /** The results; null during the step. */
    private @Nullable ShadowReport results;

    private ShadowStep(ShadowConfig config, Shadow shadow, long candidate) {
        this.config = config;
        this.shadow = shadow;
        this.candidate = candidate;
    }

    /**
     * Returns the shadow step of a plan.
     *
     * @param shadow a shadow that was not started
     * @param candidate the number of the candidate
     */
    static ShadowStep of(RolloutPlan plan, Shadow shadow, long candidate) {
        return new ShadowStep(Objects.requireNonNull(plan.config().shadow()), shadow, candidate);
    }

    void begin() {
        if (shadow != null) {
            shadow.start();
        }
    }

    /** Returns whether the step has not ended. */
    boolean isOpen() {
        return shadow != null;
    }

    /** Returns whether the results permit the next step. */
    boolean permits() {
        ShadowReport report = report();
        boolean enough = report.compared() >= config.requests() || isStopped(report);
        return enough && !isRefused();
    }

    /** Returns whether an operator must permit the next step. */
    boolean isRefused() {
        ShadowReport report = report();
        return config.onDifference() == ShadowConfig.OnDifference.HOLD && (report.different() > 0 || isStopped(report));
    }

    private static boolean isStopped(ShadowReport report) {
        return report.state() == ShadowReport.State.STOPPED;
    }

    /** Stops the shadow if a filter blocks the thread of the shadow for too long. */
    void look() {
        if (shadow != null) {
            shadow.check();
        }
    }

    /** Ends the step and logs its results, which {@link #report} still returns afterwards. */
    void end() {
        Shadow ending = shadow;
        if (ending != null) {
            ending.close();
            shadow = null;
            ShadowReport report = ending.report();
            results = report;
            LOG.info("shadow of generation {}: {}", candidate, report.summary());
            report.groups().stream()
                    .limit(LOGGED)
                    .forEach(group -> LOG.info("shadow of generation {}: {}", candidate, group));
        }
    }

    /** Returns the present results or, after the end of the step, the final results. */
    ShadowReport report() {
        return shadow == null ? Objects.requireNonNull(results) : shadow.report();
    }

    String share() {
        return config.share().toString();
    }
}
