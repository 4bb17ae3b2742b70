package dev.lychgate.server.shadow;

import dev.lychgate.config.Quantity;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The results of a shadow. Immutable.
 *
 * @param reason the reason why the shadow stopped early; empty if it did not
 * @param results the numbers of copies by result, including zeros
 * @param compared the number of requests about which both generations decided
 * @param different the number of requests with a difference
 * @param groups the groups of differences, the most frequent first
 * @param further the number of differences that belong to no group, because there are too many groups
 */
public record ShadowReport(
        State state,
        String reason,
        Map<String, Long> results,
        long compared,
        long different,
        List<DecisionGroup> groups,
        long further) {
    /** The state of a shadow. */
    public enum State {
        /** Both generations are being built. */
        STARTING,
        /** The decisions on copies of requests are being compared. */
        COMPARING,
        /** The shadow ended early; {@link ShadowReport#reason} states why. */
        STOPPED,
        /** The shadow ended with its step of the rollout. */
        ENDED
    }

    /**
     * Returns the counts in words, such as {@code 100 requests compared, 3 with differences, 2 not compared (body)}.
     */
    public String summary() {
        String rest = results.entrySet().stream()
                .filter(count -> count.getValue() > 0)
                .filter(count ->
                        !count.getKey().equals("equal") && !count.getKey().equals("different"))
                .map(count -> ", " + count.getValue() + " not compared (" + count.getKey() + ")")
                .collect(Collectors.joining());
        return Quantity.of(compared, "request") + " compared, " + different + " with differences" + rest
                + (reason.isEmpty() ? "" : ", stopped: " + reason);
    }
}
