package dev.lychgate;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterUse;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.HistoryConfig;
import dev.lychgate.config.Quantity;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.filters.groovy.GenerationsAlive;
import dev.lychgate.filters.settings.NamedFilter;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.Split;
import dev.lychgate.listener.BindFailure;
import dev.lychgate.listener.Listener;
import dev.lychgate.loop.Headroom;
import dev.lychgate.loop.MemoryCounting;
import dev.lychgate.server.admin.FleetState;
import dev.lychgate.server.admin.Generations;
import dev.lychgate.server.admin.ProcessChanges;
import dev.lychgate.server.admin.ProcessUpgrade;
import dev.lychgate.server.admin.Proposals;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.filters.NamedFilters;
import dev.lychgate.server.handover.SharedSockets;
import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.server.history.EntryReceiver;
import dev.lychgate.server.metrics.GatewayMetrics;
import dev.lychgate.server.recorder.RecentExchanges;
import dev.lychgate.server.reload.EmbeddedFilters;
import dev.lychgate.server.reload.ReloadableGateway;
import dev.lychgate.server.reload.Reloader;
import dev.lychgate.server.rollout.RolloutMeter;
import dev.lychgate.tls.TlsEngines;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running gateway with its access log, metrics and admin listener.
 *
 * <pre>{@code
 * try (Lychgate gateway = Lychgate.builder()
 *         .listener("main", "127.0.0.1:0")
 *         .upstream("api", "http://127.0.0.1:9000")
 *         .route("api", "/api/**", "api")
 *         .start()) {
 *     int port = gateway.port("main");
 * }
 * }</pre>
 *
 * <p>The methods that start, drain and close the gateway block, so they must not be called on an event loop. All other
 * methods may be called from any thread.
 */
public final class Lychgate implements ReloadableGateway {
    private static final Logger LOG = LoggerFactory.getLogger(Lychgate.class);

    private final GatewayConfig config;
    private final FilterSet embedded;
    private final Map<String, NamedFilter> named;
    private final Gateway gateway;
    private final GatewayState state;
    private final Telemetry telemetry;
    private final AdminListener admin;
    private final @Nullable EmbeddedFilters directory;
    private final AtomicBoolean ending = new AtomicBoolean();
    private volatile Consumer<GatewayConfig> onSettings = applied -> {};

    private Lychgate(
            GatewayConfig config,
            FilterSet embedded,
            Map<String, NamedFilter> named,
            Gateway gateway,
            GatewayState state,
            Telemetry telemetry,
            AdminListener admin,
            @Nullable EmbeddedFilters directory) {
        this.config = config;
        this.embedded = embedded;
        this.named = named;
        this.gateway = gateway;
        this.state = state;
        this.telemetry = telemetry;
        this.admin = admin;
        this.directory = directory;
    }

    /** Returns a builder for settings in code; see {@link LychgateBuilder} for the defaults. */
    public static LychgateBuilder builder() {
        return new LychgateBuilder();
    }

    /**
     * Starts a gateway, and returns when every listener is bound. If the start fails, no part of the gateway keeps
     * running. If the settings name a filter directory, this method first builds its filters. The gateway then follows
     * changes of the directory until the gateway is drained or closed.
     *
     * @throws ConfigException if the settings can't be used
     * @throws BindFailure if a listener can't bind its address
     * @throws StartFailure if the admin listener can't bind its address, the access log can't be written, or the
     *     machine does not satisfy the settings
     */
    public static Lychgate start(GatewayConfig config) {
        return start(config, FilterSet.EMPTY);
    }

    /** Starts a gateway like {@link #start(GatewayConfig)}, with filters in addition to the configured filters. */
    public static Lychgate start(GatewayConfig config, FilterSet filters) {
        return start(config, filters, NamedFilters.services());
    }

    /**
     * Starts a gateway like {@link #start(GatewayConfig)}, with additional filters.
     *
     * @param filters filters that run in all generations, in addition to the configured filters
     * @param named filters that the settings may refer to by name, in addition to the built-in filters
     */
    public static Lychgate start(GatewayConfig config, FilterSet filters, Map<String, NamedFilter> named) {
        if (config.filters().directory() == null) {
            return closedIfRefused(FilterAssembly.of(config, named), all -> start(all, filters, named, null));
        }
        EmbeddedFilters directory = EmbeddedFilters.build(config, named);
        Lychgate lychgate;
        try {
            lychgate = start(directory.assembly(), filters, named, directory);
        } catch (RuntimeException | Error e) {
            directory.close();
            throw e;
        }
        Reloader following = directory.follow(lychgate.generation(), lychgate);
        lychgate.follows(following, following.proposals());
        return lychgate;
    }

    private static Lychgate start(
            FilterAssembly assembly,
            FilterSet filters,
            Map<String, NamedFilter> named,
            @Nullable EmbeddedFilters directory) {
        GatewayConfig config = assembly.config();
        FilterSet all = together(assembly, filters);
        Telemetry telemetry = Telemetry.open(config);
        GatewayState state =
                new GatewayState(telemetry.metrics(), telemetry.recent(), telemetry::recording, telemetry.mirrors());
        AdminListener admin = null;
        Gateway gateway = null;
        try {
            // Started before the gateway, so that probes receive "starting" until the gateway has started.
            admin = AdminListener.start(config.admin(), state, telemetry.ending());
            gateway = Gateway.start(config, all, telemetry.observer());
            telemetry.begin(gateway);
            Lychgate lychgate =
                    new Lychgate(config, filters, Map.copyOf(named), gateway, state, telemetry, admin, directory);
            lychgate.begin();
            return lychgate;
        } catch (RuntimeException | Error e) {
            if (gateway != null) {
                gateway.close();
            }
            close(telemetry, admin, null);
            throw e;
        }
    }

    /** Starts a gateway from an assembly. If there is a filter directory, the caller must follow its changes. */
    public static Lychgate start(FilterAssembly assembly) {
        return start(assembly, FilterSet.EMPTY, Map.of(), null);
    }

    private void begin() {
        state.onDrain(() -> drain(generation().config().drain()));
        state.started(gateway);
        String loops = Quantity.of(gateway.workers(), "loop");
        for (Listener listener : gateway.listeners()) {
            LOG.info(
                    "listening on {} ({}, {}, {})",
                    (listener.config().tls() == null ? "http://" : "https://")
                            + NetUtil.toSocketAddressString(listener.address()),
                    listener.config().name(),
                    gateway.transport(),
                    loops);
        }
        gateway.generation()
                .config()
                .listeners()
                .forEach(listener -> tls("listener " + listener.name(), listener.tls()));
        LOG.info("buffers: at most {} MiB of direct memory; {}", Headroom.limit() >> 20, MemoryCounting.ofProcess());
        admin.begin(telemetry.metrics());
    }

    private static void tls(String where, @Nullable TlsConfig tls) {
        if (tls != null) {
            LOG.info("{}: TLS provider: {}", where, TlsEngines.explain(tls.provider()));
        }
    }

    /**
     * Returns the port of a listener.
     *
     * @throws IllegalArgumentException if no listener has that name
     */
    public int port(String listener) {
        return gateway.address(listener).getPort();
    }

    /** Returns the address of the admin listener; null if there is none. */
    public @Nullable InetSocketAddress adminAddress() {
        return admin.address();
    }

    /**
     * Returns the port that the admin listener is bound to.
     *
     * @throws IllegalStateException if there is no admin listener
     */
    public int adminPort() {
        InetSocketAddress address = admin.address();
        if (address == null) {
            throw new IllegalStateException("no admin listener is configured");
        }
        return address.getPort();
    }

    /**
     * Puts the routes, upstreams and filters of {@code changed} into force. Running exchanges continue with the
     * previous generation. A filter name in the settings refers to a filter with which the gateway was started, or to a
     * current filter of the filter directory. Listeners, admin listener, access log, metrics, recorder and the receiver
     * of spans change, too, if their settings have changed.
     *
     * <p>Only a restart changes the filter directory, workers, transport, history and fleet.
     *
     * @throws ConfigException if the settings can't be used, or differ in a part that only a restart changes; the
     *     gateway then keeps its previous settings
     */
    public Generation apply(GatewayConfig changed) {
        EmbeddedFilters followed = directory;
        String before = config.filters().directory();
        String after = changed.filters().directory();
        if (!Objects.equals(before, after)) {
            throw new ConfigException(
                    "filters.directory",
                    String.valueOf(after),
                    "the value at start: " + before + "; restart the gateway to change it");
        }
        return followed == null
                ? closedIfRefused(FilterAssembly.of(changed, named), this::apply)
                : followed.apply(changed);
    }

    private static <T> T closedIfRefused(FilterAssembly assembly, Function<FilterAssembly, T> use) {
        try {
            return use.apply(assembly);
        } catch (RuntimeException | Error e) {
            assembly.close();
            throw e;
        }
    }

    /**
     * Works like {@link #apply(GatewayConfig)}, with an assembly of filters. The filters that were passed to {@code
     * start} run in addition to the filters of the assembly.
     */
    @Override
    public Generation apply(FilterAssembly next) {
        GatewayConfig changed = next.config();
        ProcessChanges changes = ProcessChanges.between(gateway.generation().config(), changed);
        changes.requireNoRestart();
        if (gateway.candidate() != null) {
            changes.requireNone();
        }
        Generation generation;
        try (AdminListener.Change adminChange = admin.prepare(changed);
                Telemetry.Change telemetryChange = telemetry.prepare(changed, changes)) {
            generation = gateway.apply(changed, together(next, embedded));
            telemetryChange.commit();
            adminChange.commit();
        }
        telemetry.retainMirrors(generation, gateway.candidate());
        onSettings.accept(changed);
        return generation;
    }

    /** Introduces a candidate generation. The admin listener keeps the credentials of the stable generation. */
    @Override
    public Generation introduce(FilterAssembly next, Split split) {
        GatewayConfig changed = next.config();
        ProcessChanges.between(gateway.generation().config(), changed).requireNone();
        admin.verify(changed);
        return gateway.introduce(changed, together(next, embedded), split);
    }

    @Override
    public void split(Split split) {
        gateway.split(split);
    }

    @Override
    public Generation promote() {
        Generation candidate = gateway.candidate();
        try (AdminListener.Change change = candidate == null ? null : admin.prepare(candidate.config())) {
            Generation generation = gateway.promote();
            telemetry.use(generation.config());
            telemetry.retainMirrors(generation, null);
            if (change != null) {
                change.commit();
            }
            return generation;
        }
    }

    @Override
    public void withdraw() {
        gateway.withdraw();
    }

    @Override
    public RolloutMeter rolloutMeter() {
        return telemetry.rollout();
    }

    @Override
    public void verify(FilterAssembly next) {
        GatewayConfig changed = next.config();
        ProcessChanges.between(gateway.generation().config(), changed).requireNoRestart();
        admin.verify(changed);
        gateway.verify(changed);
        Generation.first(changed, together(next, embedded), gateway.workers());
    }

    /**
     * Sets the action that runs when an operator requests a drain through the admin listener. The action runs one time,
     * on a separate thread. If no action is set, the gateway drains like {@link #drain}, with the configured time
     * limit.
     */
    public void onDrain(Runnable action) {
        state.onDrain(action);
    }

    /**
     * Sets the action that receives the settings after each change of them. Called by the thread that changes the
     * settings.
     */
    public void onSettings(Consumer<GatewayConfig> action) {
        onSettings = action;
    }

    /** Sets the action that replaces the process when an operator requests an upgrade through the admin listener. */
    public void onUpgrade(ProcessUpgrade action) {
        state.onUpgrade(action);
    }

    /** Returns the listening sockets, for a process that takes them over. */
    public SharedSockets sockets() {
        return new GatewaySockets(gateway, admin.server(), generation().config().recording() != null);
    }

    /**
     * Returns the configured filters together with the filters of the embedding program. The tracing of the embedding
     * program applies only if the settings have no tracing.
     */
    private static FilterSet together(FilterAssembly configured, FilterSet embedded) {
        FilterSet all = configured.filters().with(embedded);
        return all.trace().isOff() ? all.traced(embedded.trace()) : all;
    }

    @Override
    public List<EntryReceiver> receivers(HistoryConfig history) {
        return telemetry.receivers(history);
    }

    /**
     * Shows {@code generations} and {@code proposals} in the admin listener and in the metrics. Called at most one
     * time.
     */
    @Override
    public void follows(Generations generations, Proposals proposals) {
        state.follows(generations, proposals);
        GatewayMetrics metrics = telemetry.metrics();
        GenerationsAlive alive = generations.alive();
        metrics.bind(alive.state());
        metrics.bind(generations.rollouts());
        metrics.counter(
                "lychgate.filter.close.failures",
                "Objects of filters that failed to close or exceeded the time limit",
                alive.state()::closeFailures);
        metrics.counter(
                "lychgate.generations.taken", "Generations that were put in force since the start", generations::taken);
        metrics.counter(
                "lychgate.generations.refused",
                "Changes of the configuration or of filters that were refused",
                generations::refused);
        metrics.gauge(
                "lychgate.generations.pinned",
                "1 while a rollback holds, so that changed files take effect only with a reload; else 0",
                () -> generations.isPinned() ? 1 : 0);
        ChangeHistory history = generations.changes();
        if (history != null) {
            history.showIn(metrics);
        }
        if (gateway.generation().config().lifecycle().fleet() != null) {
            FleetState.showIn(metrics, generations);
        }
        metrics.gauge(
                "lychgate.generations.alive", "Generations of filter code that are still in memory", alive::count);
        metrics.gauge(
                "lychgate.filter.builds.abandoned",
                "Builds of filters that were abandoned and still run",
                alive::abandonedBuilds);
        metrics.gauge(
                "lychgate.gate.tests.abandoned",
                "Threads of tests of filters that were abandoned and still run",
                proposals::abandonedTests);
    }

    @Override
    public Generation generation() {
        return gateway.generation();
    }

    /** Returns the gateway itself. */
    public Gateway gateway() {
        return gateway;
    }

    /** Returns the latest exchanges that were slow, that failed, or that are recorded in a trace. */
    public RecentExchanges recent() {
        return telemetry.recent();
    }

    /**
     * Opens the file of the access log again by its name, after a program for log rotation has renamed the file. May
     * return before the new file is open.
     */
    public void reopenLogs() {
        telemetry.reopenLogs();
    }

    /** Returns all metrics. */
    public GatewayMetrics metrics() {
        return telemetry.metrics();
    }

    /**
     * Drains and stops the gateway: accepts no more requests, completes the running requests, writes the rest of the
     * access log, and stops. During the drain, the admin listener reports that the gateway is not ready.
     *
     * @param within the maximum duration of the drain; afterwards, the remaining client connections are aborted
     * @return the number of aborted client connections; 0 after a clean drain, or if the gateway was already
     *     draining or closed
     */
    public int drain(Duration within) {
        if (!ending.compareAndSet(false, true)) {
            return 0;
        }
        state.draining();
        if (directory != null) {
            directory.stopFollowing();
        }
        int cut = gateway.drain(within);
        endFilters();
        state.endReloads();
        close(telemetry, admin, directory);
        return cut;
    }

    /** Stops the gateway at once and aborts running exchanges. */
    @Override
    public void close() {
        if (ending.compareAndSet(false, true)) {
            state.draining();
            gateway.close();
            endFilters();
            state.endReloads();
            close(telemetry, admin, directory);
        }
    }

    /** Closes the filter objects of the generations in force. */
    private void endFilters() {
        endFilters(gateway.generation());
        Generation candidate = gateway.candidate();
        if (candidate != null) {
            endFilters(candidate);
        }
    }

    private static void endFilters(Generation of) {
        FilterUse use = of.use();
        if (use != null) {
            use.end();
        }
    }

    private static void close(Telemetry telemetry, @Nullable AdminListener admin, @Nullable EmbeddedFilters directory) {
        telemetry.close();
        if (admin != null) {
            admin.close();
        }
        if (directory != null) {
            directory.close();
        }
    }
}
