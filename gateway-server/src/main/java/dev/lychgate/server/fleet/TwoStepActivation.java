package dev.lychgate.server.fleet;

import dev.lychgate.server.fleet.FleetOperator.Reported;
import dev.lychgate.server.fleet.FleetOperator.Signer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * An activation in two steps: all nodes prepare the release, and then it is put into force. If a node refuses the release or
 * does not prepare it in time, the release in force stays on all nodes. Lost nodes are not awaited; they apply the head when
 * they return.
 */
public final class TwoStepActivation {
    private static final Duration POLL = Duration.ofMillis(200);

    private final FleetOperator operator;
    private final Duration limit;

    /**
     * The outcome of an activation.
     *
     * @param head the newest head
     * @param activated whether the release is in force
     * @param problems one line for each node that refused the release or did not complete the step in time; empty if
     *         there are none
     */
    public record Result(FleetHead head, boolean activated, List<String> problems) {}

    /** @param limit the time limit of each of the two steps */
    public TwoStepActivation(FleetOperator operator, Duration limit) {
        this.operator = operator;
        this.limit = limit;
    }

    /**
     * Activates a release.
     *
     * @throws FleetException if no node reports, or the head was changed meanwhile
     */
    public Result run(FleetHead head, String digest, Signer signer) throws FleetException, InterruptedException {
        if (operator.nodes().stream().allMatch(Reported::isLost)) {
            throw FleetException.refused(
                    "no node reports, so no node can prepare the release; activate without --wait");
        }
        FleetHead preparing = operator.prepare(head, digest, signer);
        List<String> problems = await(
                preparing.epoch(),
                digest,
                "not prepared",
                status -> status.prepared().equals(digest) || status.active().equals(digest));
        if (!problems.isEmpty()) {
            Signer ending = new Signer(signer.key(), signer.author(), "preparation ended: not all nodes can serve it");
            return new Result(operator.abandon(preparing, ending), false, problems);
        }
        FleetHead active = operator.activate(preparing, digest, signer);
        return new Result(
                active,
                true,
                await(
                        active.epoch(),
                        digest,
                        "not active",
                        status -> status.active().equals(digest)));
    }

    /** Waits until all reporting nodes satisfy a condition, a node refuses the release, or the time limit expires. */
    private List<String> await(long epoch, String digest, String state, Predicate<NodeStatus> done)
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
