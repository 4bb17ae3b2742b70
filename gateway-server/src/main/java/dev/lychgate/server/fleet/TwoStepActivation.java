package dev.lychgate.server.fleet;

import dev.lychgate.fleet.FleetException;
import dev.lychgate.server.fleet.FleetOperator.CanaryRequest;
import dev.lychgate.server.fleet.FleetOperator.Reported;
import dev.lychgate.server.fleet.FleetOperator.Signer;
import java.time.Duration;
import java.util.List;

/**
 * Activates a release in two steps: all nodes prepare the release, and then the head puts the release into force. If a
 * node refuses the release or does not prepare it in time, all nodes keep the release in force. The activation does not
 * wait for lost nodes, which apply the head when they return. A canary needs no preparation, because it is a trial by
 * some nodes.
 */
public final class TwoStepActivation {
    private final FleetOperator operator;
    private final NodeProgress nodes;

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
        this.nodes = new NodeProgress(operator, limit);
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
        List<String> problems = nodes.await(
                preparing.epoch(),
                digest,
                "not prepared",
                status -> status.prepared().equals(digest) || status.active().equals(digest));
        if (!problems.isEmpty()) {
            Signer ending =
                    new Signer(signer.key(), signer.author(), "preparation ended: not all nodes can serve the release");
            return new Result(operator.abandon(preparing, ending), false, problems);
        }
        FleetHead active = operator.activate(preparing, digest, signer);
        return new Result(
                active,
                true,
                nodes.await(
                        active.epoch(),
                        digest,
                        "not active",
                        status -> status.active().equals(digest)));
    }

    /**
     * Starts a canary, and waits until its nodes serve the release. If one of these nodes refuses the release or does
     * not serve it in time, the canary ends.
     *
     * @return the outcome; {@code activated} is true if the nodes of the canary serve the release
     * @throws FleetException under the conditions of {@link FleetOperator#canary}
     */
    public Result canary(FleetHead head, String digest, CanaryRequest request, Signer signer)
            throws FleetException, InterruptedException {
        FleetHead started = operator.canary(head, digest, request, signer);
        Canary canary = FleetOperator.canaryOf(started);
        List<String> problems = nodes.await(
                started.epoch(),
                digest,
                "not active",
                status -> status.active().equals(digest) || !canary.selects(status.node(), status.labels()));
        if (problems.isEmpty()) {
            return new Result(started, true, problems);
        }
        Signer ending =
                new Signer(signer.key(), signer.author(), "canary ended: not all of its nodes can serve the release");
        return new Result(operator.abort(started, ending), false, problems);
    }
}
