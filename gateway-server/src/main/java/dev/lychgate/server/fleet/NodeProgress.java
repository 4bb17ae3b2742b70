package dev.lychgate.server.fleet;

import dev.lychgate.fleet.FleetException;
import dev.lychgate.server.fleet.FleetOperator.Reported;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Waits until the nodes of a fleet report that they have completed a step. Does not wait for lost nodes. Blocks. */
final class NodeProgress {
    private static final Duration POLL = Duration.ofMillis(200);

    private final FleetOperator operator;
    private final Duration limit;

    /** @param limit the time limit of one call */
    NodeProgress(FleetOperator operator, Duration limit) {
        this.operator = operator;
        this.limit = limit;
    }

    /**
     * Waits until all reporting nodes satisfy a condition, a node refuses the release, or the time limit expires.
     *
     * @param epoch the epoch that a node must have verified
     * @param digest the release
     * @param state describes, in the result, a node that does not satisfy the condition
     * @return one line for each node that refused the release or is late; empty if all satisfy the condition
     */
    List<String> await(long epoch, String digest, String state, Predicate<NodeStatus> done)
            throws FleetException, InterruptedException {
        long start = System.nanoTime();
        while (true) {
            List<String> refused = new ArrayList<>();
            List<String> waiting = new ArrayList<>();
            for (Reported node : operator.nodes()) {
                NodeStatus status = node.status();
                boolean current = status.epoch() >= epoch;
                if (node.isLost() || (current && done.test(status))) {
                    continue;
                }
                if (current && status.refused().equals(digest)) {
                    refused.add(status.node() + ": refused: " + String.join("; ", status.faults()));
                } else {
                    waiting.add(status.node() + ": " + state + " after " + limit.toSeconds() + " s"
                            + (status.store().isEmpty() ? "" : ": " + status.store()));
                }
            }
            if (!refused.isEmpty() || waiting.isEmpty()) {
                return refused;
            }
            if (System.nanoTime() - start > limit.toNanos()) {
                return waiting;
            }
            TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
        }
    }
}
