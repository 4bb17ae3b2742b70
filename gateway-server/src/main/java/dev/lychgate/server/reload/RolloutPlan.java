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
 * The steps of a rollout. The last one is the promotion.
 *
 * @param config with the wishes of the operator
 */
record RolloutPlan(RolloutConfig config) {
    /**
     * Returns the plan for a change; null if it takes effect at once.
     *
     * @param configured the section of the changed configuration; null if it has none
     */
    static @Nullable RolloutPlan of(@Nullable RolloutConfig configured, RolloutRequest request) {
        if (request.isOff() || (configured == null && request.isConfigured())) {
            return null;
        }
        RolloutPlan plan = new RolloutPlan(request.of(configured == null ? RolloutConfig.DEFAULT : configured));
        // A step of 100% is the promotion, and nothing precedes it.
        return plan.first() >= 1 ? null : plan;
    }

    /** Returns the shares of all steps. The one of a shadow is 0, and precedes the others. */
    List<Double> steps() {
        Stream<Double> shadow = config.shadow() == null ? Stream.of() : Stream.of(0.0);
        return Stream.concat(shadow, config.steps().stream().map(SampleRate::fraction))
                .toList();
    }

    double first() {
        return steps().get(0);
    }

    /** Returns the number of steps in which both generations have exchanges. */
    int judged() {
        return config.steps().size() - 1;
    }

    /** Returns the share after {@code share}; 1 after that of the last judged step. */
    double after(double share) {
        return steps().stream().filter(step -> step > share).findFirst().orElse(1.0);
    }

    /** Returns the number of the step with a share, from 1. */
    int step(double share) {
        return Math.max(1, (int) steps().stream().filter(step -> step <= share).count());
    }

    /** Returns the least time of the step with a share. */
    Duration hold(double share) {
        ShadowConfig shadow = config.shadow();
        return share == 0 && shadow != null ? shadow.hold() : config.hold();
    }

    /** Returns what decides for a request, in words. */
    String by() {
        return Objects.requireNonNull(config.by()).describe();
    }
}
