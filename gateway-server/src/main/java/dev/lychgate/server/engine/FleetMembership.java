package dev.lychgate.server.engine;

import dev.lychgate.Lychgate;
import dev.lychgate.config.FleetConfig;
import dev.lychgate.fleet.FleetException;
import dev.lychgate.server.admin.Generations.Outcome;
import dev.lychgate.server.admin.Proposals;
import dev.lychgate.server.fleet.FleetNode;
import dev.lychgate.server.fleet.NodeTraffic;
import dev.lychgate.server.fleet.ReleaseTarget;
import dev.lychgate.server.metrics.RecentTraffic;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.server.reload.Reloader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The membership of a running gateway in a fleet: each release is served as a generation of the gateway. */
final class FleetMembership implements AutoCloseable {
    private final FleetNode node;

    private FleetMembership(FleetNode node) {
        this.node = node;
    }

    /**
     * Starts to follow the head of the fleet.
     *
     * @param following the gateway, which is closed if the start fails
     * @throws StartException if the keys or the state of the node cannot be used
     */
    static FleetMembership start(FleetConfig config, FileGateway<Lychgate> following) throws StartException {
        Reloader reloader = following.reloader();
        try {
            FleetNode node = FleetNode.start(
                    config,
                    target(reloader, RecentTraffic.together(following.gateway().metrics())));
            reloader.reportFleet(new FleetView(node));
            return new FleetMembership(node);
        } catch (FleetException e) {
            following.stopFollowing();
            following.gateway().close();
            following.close();
            throw new StartException(e.reason());
        }
    }

    private static ReleaseTarget target(Reloader reloader, RecentTraffic traffic) {
        return new ReleaseTarget() {
            @Override
            public List<String> prepare(Path release) {
                Proposals.Result result = reloader.prepare(release);
                return result instanceof Proposals.Result.Refused refused ? refused.faults() : List.of();
            }

            @Override
            public List<String> activate(Link link, String why, String author) throws IOException {
                Outcome outcome = reloader.activate(link, why, author);
                return outcome instanceof Outcome.Refused refused ? refused.faults() : List.of();
            }

            @Override
            public CompletableFuture<NodeTraffic> traffic() {
                return traffic.look().thenApply(FleetMembership::traffic);
            }
        };
    }

    private static NodeTraffic traffic(RecentTraffic.Traffic look) {
        if (look.routes().isEmpty() || look.seconds() == 0) {
            return NodeTraffic.NONE;
        }
        RecentTraffic.OfRoute all = look.routes().get(0);
        return new NodeTraffic(
                all.recent() / look.seconds(), all.errors() / look.seconds(), 1000 * all.p50(), 1000 * all.p99());
    }

    @Override
    public void close() {
        node.close();
    }
}
