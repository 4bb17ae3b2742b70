package dev.lychgate.server.reload;

import dev.lychgate.config.RolloutConfig;
import dev.lychgate.config.SampleRate;
import dev.lychgate.config.ShadowConfig;
import dev.lychgate.server.admin.RolloutRequest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a rollout. The last step is the promotion.
 *
 * @param config the settings of the rollout, including settings that an operator requested
 */
record RolloutPlan(RolloutConfig config) {
    /**
     * Returns the plan for a change; null if the change takes effect at once.
     *
     * @param configured the rollout section of the changed configuration; null if the configuration has none
     */
    static @Nullable RolloutPlan of(@Nullable RolloutConfig configured, RolloutRequest request) {
        if (request.isOff() || (configured == null && request.isConfigured())) {
            return null;
        }
        RolloutPlan plan = new RolloutPlan(request.of(configured == null ? RolloutConfig.DEFAULT : configured));
        // A first step of 100% is the promotion, so there is no rollout.
        return plan.first() >= 1 ? null : plan;
    }

    /** Returns the shares of all steps. If there is a shadow step, it is the first step, and its share is 0. */
    List<Double> steps() {
        Stream<Double> shadow = config.shadow() == null ? Stream.of() : Stream.of(0.0);
        return Stream.concat(shadow, config.steps().stream().map(SampleRate::fraction))
                .toList();
    }

    double first() {
        return steps().get(0);
    }

    /** Returns the number of steps in which both generations serve exchanges. */
    int judged() {
        return config.steps().size() - 1;
    }

    /** Returns the share of the step that follows the step with {@code share}; 1 after the last judged step. */
    double after(double share) {
        return steps().stream().filter(step -> step > share).findFirst().orElse(1.0);
    }

    /** Returns the number of the step with {@code share}. The first step is step 1. */
    int step(double share) {
        return Math.max(1, (int) steps().stream().filter(step -> step <= share).count());
    }

    /** Returns the minimum duration of the step with {@code share}. */
    Duration hold(double share) {
        ShadowConfig shadow = config.shadow();
        return share == 0 && shadow != null ? shadow.hold() : config.hold();
    }

    /** Returns a description of the request property that determines which generation serves a request. */
    String by() {
        return Objects.requireNonNull(config.by()).describe();
    }
}
