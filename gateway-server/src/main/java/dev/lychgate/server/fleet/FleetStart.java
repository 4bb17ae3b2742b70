package dev.lychgate.server.fleet;

import dev.lychgate.config.FleetConfig;
import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Selects the release with which a node starts. After the start, the running node applies the head.
 *
 * <p>A release is good if it was in force and this node has served it. The node starts with the newest kept good
 * release that is intact. If there is none, this class waits until the store responds, and selects the release in
 * force.
 */
public final class FleetStart {
    private static final Logger LOG = LoggerFactory.getLogger(FleetStart.class);

    private FleetStart() {}

    /**
     * Selects the release with which the node starts, and makes it active.
     *
     * @throws FleetException if there is none
     */
    public static void select(FleetConfig config) throws FleetException {
        TrustedKeys keys = TrustedKeys.read(config.trust());
        try {
            NodeState state = new NodeState(Path.of(config.state()));
            if (!selectGood(config, state, keys)) {
                fetchFirst(config, state, keys);
            }
        } catch (IOException e) {
            throw new FleetException(
                    FleetException.Kind.UNAVAILABLE, "fleet.state: " + config.state() + " can't be used: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FleetException(FleetException.Kind.UNAVAILABLE, "interrupted", e);
        }
    }

    private static boolean selectGood(FleetConfig config, NodeState state, TrustedKeys keys) throws IOException {
        for (String digest : state.good()) {
            try {
                Release release = state.kept(digest, config.space(), keys);
                state.extract(release);
                state.activate(digest);
                LOG.info("fleet: starting with the last good release {}", Release.shortened(digest));
                return true;
            } catch (FleetException e) {
                LOG.error(
                        "fleet: stored release {} is refused: {}; trying the next older release",
                        Release.shortened(digest),
                        e.reason());
            }
        }
        return false;
    }

    private static void fetchFirst(FleetConfig config, NodeState state, TrustedKeys keys)
            throws FleetException, IOException, InterruptedException {
        try (FleetStore store = FleetNode.store(config)) {
            Optional<FleetStore.StoredHead> stored = FleetNode.get(store.head());
            if (stored.isEmpty()) {
                throw missing(config, "the store has no head of space");
            }
            FleetHead head = FleetHead.verify(stored.get().bytes(), config.space(), keys);
            state.accept(head, stored.get().bytes());
            String stable = head.stable();
            if (stable == null) {
                throw missing(config, "no release is in force in space");
            }
            Release release = Release.verify(FleetNode.get(store.archive(stable)), stable, config.space(), keys);
            state.keep(release);
            state.extract(release);
            state.activate(stable);
        }
    }

    private static FleetException missing(FleetConfig config, String reason) {
        return new FleetException(
                FleetException.Kind.MISSING,
                "fleet: no kept release in " + config.state() + ", and " + reason + " " + config.space());
    }
}
