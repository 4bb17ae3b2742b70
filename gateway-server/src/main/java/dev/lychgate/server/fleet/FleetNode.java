package dev.lychgate.server.fleet;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.EtcdConfig;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.FleetConfig;
import dev.lychgate.config.FleetStoreConfig;
import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetStore;
import dev.lychgate.server.extensions.ContributedStores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running node of a fleet: follows the head of its space, prepares and serves the releases that the head names, and
 * reports its state. All of this work runs on one thread. Requests of clients wait neither for this thread nor for the
 * store.
 */
public final class FleetNode implements AutoCloseable {
    /** The age after which a report is ignored, and its node is treated as lost. */
    public static final Duration REPORT_EXPIRES = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(FleetNode.class);
    private static final Duration REPORT_INTERVAL = Duration.ofSeconds(10);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);
    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(30);

    private final FleetConfig config;
    private final TrustedKeys keys;
    private final NodeState state;
    private final FleetStore store;
    private final ReleaseTarget target;
    private final InstantSource clock;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread created = new Thread(task, "lychgate-fleet");
        created.setDaemon(true);
        return created;
    });
    private volatile NodeStatus status;
    private FleetStore.@Nullable StoredHead pending;
    private FleetStore.@Nullable StoredHead handled;
    /** The time at which the canary of the head ends; null if the head has no canary, or the canary has ended. */
    private @Nullable Instant canaryEnds;

    private String refusedHead = "";

    private FleetNode(
            FleetConfig config,
            TrustedKeys keys,
            NodeState state,
            NodeStatus status,
            FleetStore store,
            ReleaseTarget target,
            InstantSource clock) {
        this.clock = clock;
        this.config = config;
        this.keys = keys;
        this.state = state;
        this.status = status;
        this.target = target;
        this.store = store;
    }

    /**
     * Opens the store of a configuration.
     *
     * @throws FleetException if a certificate of the store cannot be read, or the extension of the store cannot be used
     */
    public static FleetStore store(FleetConfig config) throws FleetException {
        return store(config.store(), config.space());
    }

    static FleetStore store(FleetStoreConfig config, String space) throws FleetException {
        FilterConfig contributed = config.contributed();
        if (contributed != null) {
            try {
                return ContributedStores.open(contributed, space);
            } catch (ConfigException e) {
                throw new FleetException(FleetException.Kind.REFUSED, String.valueOf(e.getMessage()), e);
            }
        }
        EtcdConfig etcd = config.etcd();
        return etcd == null
                ? new DirectoryStore(Path.of(String.valueOf(config.directory())), space)
                : EtcdStore.open(etcd, space);
    }

    /**
     * Starts to follow the head.
     *
     * @param target serves the active release
     * @throws FleetException if the keys or the state of the node cannot be read
     */
    public static FleetNode start(FleetConfig config, ReleaseTarget target) throws FleetException {
        return start(config, target, InstantSource.system());
    }

    static FleetNode start(FleetConfig config, ReleaseTarget target, InstantSource clock) throws FleetException {
        try {
            TrustedKeys keys = TrustedKeys.read(config.trust());
            NodeState state = new NodeState(Path.of(config.state()));
            String name = config.node() == null ? state.node() : config.node();
            String active = state.active();
            if (active != null) {
                state.served(active, Set.of());
            }
            NodeStatus status = NodeStatus.first(name, config.space(), active, config.labels());
            FleetNode node = new FleetNode(config, keys, state, status, store(config), target, clock);
            node.begin();
            return node;
        } catch (IOException e) {
            throw new FleetException(
                    FleetException.Kind.UNAVAILABLE, "fleet.state: " + config.state() + " can't be used: " + e, e);
        }
    }

    private void begin() {
        LOG.info("fleet: node {} follows the fleet head of space {}", status.node(), config.space());
        store.watchHead(new FleetStore.HeadListener() {
            @Override
            public void head(FleetStore.StoredHead head) {
                later(() -> receive(head));
            }

            @Override
            public void unavailable(FleetException reason) {
                later(() -> storeFailed(reason));
            }
        });
        thread.scheduleWithFixedDelay(this::retry, RETRY.toMillis(), RETRY.toMillis(), TimeUnit.MILLISECONDS);
        thread.scheduleWithFixedDelay(this::report, 0, REPORT_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void later(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("fleet: an event of the store is ignored, because the node has stopped", e);
        }
    }

    /** Returns the present state. */
    public NodeStatus status() {
        return status;
    }

    /** Returns an operator that reads from the store of this node. The caller must not close the operator. */
    public FleetOperator operator() {
        return new FleetOperator(config, keys, store);
    }

    private void receive(FleetStore.StoredHead head) {
        if (!status.store().isEmpty()) {
            LOG.info("fleet: the store responds again");
            change(status.withStore(""));
        }
        boolean seen =
                handled != null && handled.epoch() == head.epoch() && Arrays.equals(handled.bytes(), head.bytes());
        if (!seen) {
            pending = head;
            retry();
        }
    }

    private void storeFailed(FleetException reason) {
        if (status.store().isEmpty()) {
            LOG.warn("fleet: {}; serving the release in force until the store responds", reason.reason());
        }
        status = status.withStore(reason.reason());
    }

    private void retry() {
        if (pending == null && canaryEnds != null && !clock.instant().isBefore(canaryEnds)) {
            canaryEnds = null;
            pending = handled;
        }
        FleetStore.StoredHead head = pending;
        if (head == null) {
            return;
        }
        try {
            apply(head);
            pending = null;
            handled = head;
        } catch (FleetException e) {
            if (e.kind() == FleetException.Kind.REFUSED) {
                pending = null;
                handled = head;
                refuse(e);
            } else {
                storeFailed(e);
            }
        } catch (IOException e) {
            if (status.faults().isEmpty()) {
                LOG.error(
                        "fleet: the state in {} can't be written: {}; the release in force stays",
                        config.state(),
                        e.toString());
            }
            change(status.refusing("", List.of("the state can't be written: " + e)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | LinkageError e) {
            pending = null;
            LOG.error("fleet: epoch {} was not applied because of an unexpected failure", head.epoch(), e);
        }
    }

    /** Logs the refusal of a head. If the watch reports this head again, the refusal is not logged again. */
    private void refuse(FleetException e) {
        if (!e.reason().equals(refusedHead)) {
            refusedHead = e.reason();
            LOG.error(
                    "fleet: the new head of the fleet is refused: {}; the release in force stays in force", e.reason());
        }
        change(status.refusing("", List.of(e.reason())));
    }

    private void apply(FleetStore.StoredHead stored) throws FleetException, IOException, InterruptedException {
        FleetHead head = FleetHead.verify(stored.bytes(), config.space(), keys);
        if (head.epoch() != stored.epoch()) {
            throw FleetException.refused(
                    "the store has the head of epoch " + head.epoch() + " in the place of epoch " + stored.epoch());
        }
        state.accept(head, stored.bytes());
        refusedHead = "";
        status = status.withEpoch(head.epoch());
        String prepared = head.prepared();
        if (prepared != null && prepared.equals(status.active())) {
            status = status.prepared(prepared);
        } else if (prepared != null && !prepared.equals(status.prepared())) {
            prepare(prepared);
        }
        Instant now = clock.instant();
        String release = head.releaseOf(status.node(), config.labels(), now);
        Canary canary = head.canary();
        canaryEnds = canary == null || canary.hasEnded(now) ? null : canary.until();
        if (release != null && !release.equals(status.active())) {
            serve(release, head);
        } else if (release != null && prepared == null) {
            status = status.serving(release);
        }
        if (status.active().equals(head.stable())) {
            state.served(status.active(), head.named());
        }
        report();
    }

    /** Builds and checks a release. */
    private boolean prepare(String digest) throws FleetException, IOException, InterruptedException {
        List<String> faults;
        try {
            Path tree = state.extract(fetch(digest));
            faults = target.prepare(tree);
        } catch (FleetException e) {
            if (e.kind() != FleetException.Kind.REFUSED) {
                throw e;
            }
            faults = List.of(e.reason());
        }
        if (faults.isEmpty()) {
            LOG.info("fleet: release {} is prepared", Release.shortened(digest));
            status = status.prepared(digest);
            return true;
        }
        refuse(digest, faults);
        return false;
    }

    private void refuse(String digest, List<String> faults) {
        LOG.error(
                "fleet: release {} is refused: {}; the release in force stays",
                Release.shortened(digest),
                String.join("; ", faults));
        status = status.refusing(digest, faults);
    }

    private Release fetch(String digest) throws FleetException, IOException, InterruptedException {
        try {
            return state.kept(digest, config.space(), keys);
        } catch (FleetException e) {
            LOG.debug(
                    "fleet: this node keeps no usable copy of release {}; reading the release from the store",
                    digest,
                    e);
        }
        Release release = Release.verify(get(store.archive(digest)), digest, config.space(), keys);
        state.keep(release);
        return release;
    }

    private void serve(String digest, FleetHead head) throws FleetException, IOException, InterruptedException {
        boolean ready = digest.equals(status.prepared()) || prepare(digest);
        if (!ready) {
            return;
        }
        List<String> faults = target.activate(
                new StateLink(digest),
                "fleet epoch " + head.epoch() + ", release " + Release.shortened(digest) + ": " + head.reason(),
                head.author());
        if (!faults.isEmpty()) {
            refuse(digest, faults);
            return;
        }
        status = status.serving(digest);
        LOG.info(
                "fleet: serving release {} of epoch {}{}",
                Release.shortened(digest),
                head.epoch(),
                digest.equals(head.stable()) ? "" : " as a canary");
    }

    /** The link to the active release in the state directory of this node. */
    private final class StateLink implements ReleaseTarget.Link {
        private final String digest;
        private @Nullable String before;

        StateLink(String digest) {
            this.digest = digest;
        }

        @Override
        public void activate() throws IOException {
            before = state.activate(digest);
        }

        @Override
        public void revert() throws IOException {
            state.activate(before);
        }
    }

    private void change(NodeStatus next) {
        if (!next.equals(status)) {
            status = next;
            report();
        }
    }

    private void report() {
        NodeStatus reported = status;
        target.traffic()
                .exceptionally(failure -> NodeTraffic.NONE)
                .thenCompose(traffic -> store.report(reported.node(), reported.report(traffic)))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        LOG.debug("fleet: the report of this node could not be written to the store", failure);
                    }
                });
    }

    /** Waits for an operation of the store. */
    static <T> T get(CompletableFuture<T> operation) throws FleetException, InterruptedException {
        try {
            return operation.get(STORE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof FleetException failure) {
                throw failure;
            }
            throw new FleetException(FleetException.Kind.UNAVAILABLE, "the store failed: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new FleetException(
                    FleetException.Kind.UNAVAILABLE,
                    "the store did not respond within " + STORE_TIMEOUT.toSeconds() + " s",
                    e);
        }
    }

    /** Stops following the head, within about two seconds. The gateway keeps serving the release in force. */
    @Override
    public void close() {
        store.close();
        thread.shutdown();
        try {
            // An interrupt could abort a write of the state, and the next start would have to repeat the write.
            if (!thread.awaitTermination(CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
