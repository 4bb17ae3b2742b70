package dev.lychgate.server.shadow;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The results of a shadow. Immutable.
 *
 * @param reason why it ended early; empty if it did not
 * @param results the copies by their result, zeros included
 * @param compared the requests that both generations decided
 * @param different the requests with a difference
 * @param groups the differences, the most frequent first
 * @param further differences that belong to no group, because there are too many
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
        /** Both generations are built. */
        STARTING,
        /** Copies of requests are compared. */
        COMPARING,
        /** It ended early, for a reason. */
        STOPPED,
        /** It ended with the step of the rollout. */
        ENDED
    }

    /** Returns the counts in words: {@code 100 compared, 3 different, 2 body}. */
    public String summary() {
        String rest = results.entrySet().stream()
                .filter(count -> count.getValue() > 0)
                .filter(count ->
                        !count.getKey().equals("equal") && !count.getKey().equals("different"))
                .map(count -> ", " + count.getValue() + " " + count.getKey())
                .collect(Collectors.joining());
        return compared + " requests compared, " + different + " with differences" + rest
                + (reason.isEmpty() ? "" : ", stopped: " + reason);
    }
}
