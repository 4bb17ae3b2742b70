package dev.lychgate.server.fleet;

import dev.lychgate.config.FleetConfig;
import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetNames;
import dev.lychgate.fleet.FleetStore;
import dev.lychgate.server.terminal.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The operations on the releases and the head of a space. Each change is signed, verified with the keys that the nodes
 * trust, and written only if the head has not changed since it was read. Blocks.
 */
public final class FleetOperator implements AutoCloseable {
    private static final int SHORTEST_PREFIX = 8;
    private static final int DIGEST = 64;

    private final FleetConfig config;
    private final TrustedKeys keys;
    private final FleetStore store;

    /**
     * The key that signs a change, and the author and the reason that the change states.
     *
     * @param key the private key
     * @param author the name that the change states
     * @param reason a description of the change
     */
    public record Signer(SigningKey key, String author, String reason) {}

    /**
     * Selects the nodes that serve a canary.
     *
     * @param share the share of the reporting nodes with the labels, above 0 and at most 1
     * @param labels the labels that a node must have; empty for any node
     * @param time the time after which the nodes return to the release in force; null for no limit
     */
    public record CanaryRequest(
            double share,
            Map<String, String> labels,
            @Nullable Duration time) {
        public CanaryRequest {
            labels = Map.copyOf(labels);
        }
    }

    /**
     * The last report of a node.
     *
     * @param age the time since the report
     */
    public record Reported(NodeStatus status, NodeTraffic traffic, Duration age) {
        /** Returns whether the last report of the node is too old. Changes do not wait for a lost node. */
        public boolean isLost() {
            return age.compareTo(FleetNode.REPORT_EXPIRES) > 0;
        }
    }

    FleetOperator(FleetConfig config, TrustedKeys keys, FleetStore store) {
        this.config = config;
        this.keys = keys;
        this.store = store;
    }

    /**
     * Opens the store of a configuration.
     *
     * @throws FleetException if a public key cannot be read
     */
    public static FleetOperator open(FleetConfig config) throws FleetException {
        return new FleetOperator(config, TrustedKeys.read(config.trust()), FleetNode.store(config));
    }

    /**
     * Creates the first head of the space.
     *
     * @throws FleetException if there is a head
     */
    public FleetHead init(Signer signer) throws FleetException, InterruptedException {
        FleetNode.get(store.prepare());
        Optional<FleetStore.StoredHead> present = FleetNode.get(store.head());
        if (present.isPresent()) {
            throw FleetException.refused("space " + config.space() + " has a head already, with epoch "
                    + present.get().epoch());
        }
        return write(FleetHead.first(config.space(), signer.author(), Instant.now()), signer);
    }

    /** Creates and signs a release from a directory, and writes the release to the store. */
    public Release push(Path directory, Signer signer) throws FleetException, IOException, InterruptedException {
        Release signed = ReleaseSource.sign(
                directory, config.space(), signer.author(), Instant.now(), signer.reason(), signer.key());
        Release release = Release.verify(signed.archive(), signed.digest(), config.space(), keys);
        FleetNode.get(store.putArchive(release.digest(), release.archive()));
        return release;
    }

    /**
     * Returns the head of the space.
     *
     * @throws FleetException with the kind {@code MISSING} if there is none
     */
    public FleetHead head() throws FleetException, InterruptedException {
        FleetStore.StoredHead stored = FleetNode.get(store.head())
                .orElseThrow(() -> new FleetException(
                        FleetException.Kind.MISSING,
                        "space " + config.space() + " has no head; lychgate fleet init creates a head"));
        return verified(stored);
    }

    private FleetHead verified(FleetStore.StoredHead stored) throws FleetException {
        FleetHead head = FleetHead.verify(stored.bytes(), config.space(), keys);
        if (head.epoch() != stored.epoch()) {
            throw FleetException.refused(
                    "the store has the head of epoch " + head.epoch() + " in the place of epoch " + stored.epoch());
        }
        return head;
    }

    /**
     * Returns the newest heads, the newest first.
     *
     * @param most the maximum number of heads
     */
    public List<FleetHead> history(int most) throws FleetException, InterruptedException {
        List<FleetHead> heads = new ArrayList<>(List.of(head()));
        while (heads.size() < most) {
            long epoch = heads.get(heads.size() - 1).epoch() - 1;
            Optional<FleetStore.StoredHead> stored = FleetNode.get(store.head(epoch));
            if (stored.isEmpty()) {
                break;
            }
            heads.add(verified(stored.get()));
        }
        return heads;
    }

    /** Reads a release from the store, and verifies it. */
    public Release release(String digest) throws FleetException, InterruptedException {
        return Release.verify(FleetNode.get(store.archive(digest)), digest, config.space(), keys);
    }

    /**
     * Returns the digest of the release that an operator has specified.
     *
     * @param given a digest, at least the first 8 digits of a digest in the head, or the number of an epoch
     */
    public String resolve(String given) throws FleetException, InterruptedException {
        if (given.length() == DIGEST) {
            return FleetNames.digest(given);
        }
        FleetHead head = head();
        if (given.matches("[0-9a-f]{" + SHORTEST_PREFIX + ",}")) {
            List<String> matching = Stream.concat(
                            head.named().stream(), head.previous().stream().map(FleetHead.Previous::digest))
                    .filter(digest -> digest.startsWith(given))
                    .distinct()
                    .toList();
            if (matching.size() == 1) {
                return matching.get(0);
            }
        } else if (given.matches("[1-9][0-9]{0,17}")) {
            String stable = stableOf(Long.parseLong(given));
            if (stable != null) {
                return stable;
            }
        }
        throw new FleetException(
                FleetException.Kind.MISSING,
                "no release " + Release.shortened(given)
                        + " (expected: a digest, the first digits of a digest in the head, or the number of an epoch)");
    }

    private @Nullable String stableOf(long epoch) throws FleetException, InterruptedException {
        Optional<FleetStore.StoredHead> stored = FleetNode.get(store.head(epoch));
        return stored.isEmpty() ? null : verified(stored.get()).stable();
    }

    /**
     * Returns the digest of the release that was in force before the present release of the head.
     *
     * @throws FleetException if there is none
     */
    public String before(FleetHead head) throws FleetException {
        return head.previous().stream()
                .map(FleetHead.Previous::digest)
                .filter(digest -> !digest.equals(head.stable()))
                .findFirst()
                .orElseThrow(() -> new FleetException(
                        FleetException.Kind.MISSING, "there is no earlier release than the release in force"));
    }

    /** Puts a release into force on all nodes, and ends a canary. The release is verified first. */
    public FleetHead activate(FleetHead head, String digest, Signer signer)
            throws FleetException, InterruptedException {
        release(digest);
        return write(head.activating(digest, signer.author(), Instant.now(), signer.reason()), signer);
    }

    /**
     * Makes some nodes serve a release. The other nodes keep the release in force. If there is a canary already, the
     * new canary replaces it. If the new canary has the same release, the same labels and a larger share, the present
     * nodes keep serving the release.
     *
     * @throws FleetException if no release is in force, if this release is already in force, or if no reporting node is
     *     selected
     */
    public FleetHead canary(FleetHead head, String digest, CanaryRequest request, Signer signer)
            throws FleetException, InterruptedException {
        if (head.stable() == null) {
            throw FleetException.refused(
                    "no release is in force, so the nodes of a canary could not return to it; activate a release"
                            + " first");
        }
        if (digest.equals(head.stable())) {
            throw FleetException.refused("release " + Release.shortened(digest) + " is in force already");
        }
        release(digest);
        List<String> nodes = nodes().stream()
                .filter(node -> !node.isLost())
                .map(Reported::status)
                .filter(status ->
                        status.labels().entrySet().containsAll(request.labels().entrySet()))
                .map(NodeStatus::node)
                .toList();
        if (nodes.isEmpty()) {
            throw FleetException.refused(
                    "no node reports" + (request.labels().isEmpty() ? "" : " with the labels " + request.labels()));
        }
        Instant now = Instant.now();
        Instant until = request.time() == null ? null : FleetHead.seconds(now.plus(request.time()));
        Canary canary = Canary.ofShare(digest, request.share(), nodes, request.labels(), until);
        return write(head.canarying(canary, signer.author(), now, signer.reason()), signer);
    }

    /** Returns the names of the reporting nodes that a canary selects. */
    public List<String> selected(Canary canary) throws FleetException, InterruptedException {
        return nodes().stream()
                .filter(node -> !node.isLost())
                .map(Reported::status)
                .filter(status -> canary.selects(status.node(), status.labels()))
                .map(NodeStatus::node)
                .toList();
    }

    /**
     * Ends a canary. Its nodes return to the release in force.
     *
     * @throws FleetException if there is no canary
     */
    public FleetHead abort(FleetHead head, Signer signer) throws FleetException, InterruptedException {
        canaryOf(head);
        return write(head.canarying(null, signer.author(), Instant.now(), signer.reason()), signer);
    }

    /**
     * Returns the digest of the canary's release, so that the caller can put this release into force. A canary that has
     * ended is refused, because no node has served its release since then.
     *
     * @throws FleetException if there is no canary, or the canary has ended
     */
    public String promoted(FleetHead head) throws FleetException {
        Canary canary = canaryOf(head);
        if (canary.hasEnded(Instant.now())) {
            throw FleetException.refused("the canary ended at " + canary.until()
                    + "; start it again, or activate release " + Release.shortened(canary.digest()));
        }
        return canary.digest();
    }

    /**
     * Returns the canary of a head.
     *
     * @throws FleetException if there is none
     */
    public static Canary canaryOf(FleetHead head) throws FleetException {
        Canary canary = head.canary();
        if (canary == null) {
            throw new FleetException(FleetException.Kind.MISSING, "there is no canary");
        }
        return canary;
    }

    /** Makes all nodes build and check a release without serving it. */
    public FleetHead prepare(FleetHead head, String digest, Signer signer) throws FleetException, InterruptedException {
        release(digest);
        return write(head.preparing(digest, signer.author(), Instant.now(), signer.reason()), signer);
    }

    /** Ends a preparation. The release in force does not change. */
    public FleetHead abandon(FleetHead head, Signer signer) throws FleetException, InterruptedException {
        return write(head.preparing(null, signer.author(), Instant.now(), signer.reason()), signer);
    }

    private FleetHead write(FleetHead next, Signer signer) throws FleetException, InterruptedException {
        byte[] signed = next.sign(signer.key());
        // A head that no node accepts would block all later changes.
        FleetHead.verify(signed, config.space(), keys);
        if (FleetNode.get(store.compareAndSetHead(next.epoch() - 1, signed))) {
            return next;
        }
        FleetHead winner = head();
        throw new FleetException(
                FleetException.Kind.CONFLICT,
                "the head was changed meanwhile: epoch " + winner.epoch() + " by " + winner.author() + ": "
                        + winner.reason());
    }

    /** Returns the last report of each node. Malformed reports are omitted. */
    public List<Reported> nodes() throws FleetException, InterruptedException {
        List<Reported> nodes = new ArrayList<>();
        for (FleetStore.StoredReport report : FleetNode.get(store.reports())) {
            try {
                JsonValue json = JsonValue.of(new String(report.bytes(), StandardCharsets.UTF_8));
                NodeTraffic traffic = NodeTraffic.parse(json.get("traffic"));
                nodes.add(new Reported(NodeStatus.parse(report.node(), json), traffic, report.age()));
            } catch (IOException e) {
                // The report is malformed. Any process that can write to the store can write a malformed report.
            }
        }
        return nodes;
    }

    @Override
    public void close() {
        store.close();
    }
}
