package dev.lychgate.server.engine;

import dev.lychgate.Lychgate;
import dev.lychgate.cache.CacheUse;
import dev.lychgate.chain.FilterChains;
import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FleetConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.OverloadConfig;
import dev.lychgate.config.ParameterPolicy;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.filters.groovy.CompileReport;
import dev.lychgate.filters.settings.NamedFilter;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.generation.FaultPlan;
import dev.lychgate.generation.Generation;
import dev.lychgate.listener.BindFailure;
import dev.lychgate.route.RequestGroups;
import dev.lychgate.route.RouteTable;
import dev.lychgate.server.admin.AdminAccess;
import dev.lychgate.server.admin.ProcessUpgrade;
import dev.lychgate.server.explain.Explanation;
import dev.lychgate.server.explain.Inquiry;
import dev.lychgate.server.explain.PriorityText;
import dev.lychgate.server.explain.RateLimitText;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.filters.NamedFilters;
import dev.lychgate.server.handover.SharedSockets;
import dev.lychgate.server.recording.RecordingRule;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.server.reload.RefusedException;
import dev.lychgate.server.yaml.Environment;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates gateways that serve real connections. Tests may use another engine. */
public final class DataPlaneEngine implements GatewayEngine {
    @Override
    public List<ConfigException> faults(GatewayConfig config) {
        List<ConfigException> faults = new ArrayList<>(StartCheck.faults(config));
        faults.addAll(RouteTable.faults(config.routes()));
        if (config.rollout() != null) {
            faults.addAll(
                    RequestGroups.faults("rollout.include", config.rollout().include()));
        }
        faults.addAll(RecordingRule.faults(config.recording()));
        faults.addAll(FaultPlan.refusals(config.faults()));
        if (config.filters().directory() != null) {
            // Rules about filters are not checked here, because the filters are known only after the filter directory
            // has been compiled.
            return faults;
        }
        try {
            Map<String, NamedFilter> named = NamedFilters.services();
            faults.addAll(FilterAssembly.faults(config, named));
            if (faults.isEmpty()) {
                // Detects errors that show only in a complete generation, and runs the self-checks of filters.
                try (FilterAssembly assembly = FilterAssembly.of(config, named)) {
                    Generation.first(config, assembly.filters(), 1);
                }
            }
        } catch (ConfigException e) {
            faults.add(e);
        }
        return faults;
    }

    @Override
    public List<String> warnings(GatewayConfig config) {
        RouteTable routes = RouteTable.build(config.routes());
        List<String> warnings = new ArrayList<>(routes.warnings());
        if (config.listeners().stream().anyMatch(DataPlaneEngine::letsParametersPass)) {
            warnings.addAll(routes.guardWarnings());
        }
        warnings.addAll(unusedUpstreams(config));
        AdminConfig admin = config.admin();
        if (admin != null) {
            warnings.addAll(admin.warnings());
        }
        warnings.addAll(splicesOfNoEffect(config));
        if (hasStaleRungWithoutCache(config)) {
            warnings.add("overload.stale has no effect, because no route has a cache");
        }
        warnings.addAll(expiredFaults(config, Instant.now()));
        return warnings;
    }

    private static List<String> expiredFaults(GatewayConfig config, Instant now) {
        return config.faults().rules().stream()
                .filter(fault -> !now.isBefore(fault.until()))
                .map(fault -> "faults.rules: the fault " + fault.name() + " expired at " + fault.until()
                        + " and has no effect; remove the fault")
                .toList();
    }

    private static boolean letsParametersPass(ListenerConfig listener) {
        ParameterPolicy parameters = listener.paths().parameters();
        return parameters == ParameterPolicy.AUTO || parameters == ParameterPolicy.PASS;
    }

    /**
     * Returns a warning for each upstream that is named by no route, no authenticator and no authorizer. Returns no
     * warnings if there is a filter directory, because its filters may choose any upstream.
     */
    private static List<String> unusedUpstreams(GatewayConfig config) {
        if (config.filters().directory() != null) {
            return List.of();
        }
        Set<String> used = config.routes().stream()
                .flatMap(route ->
                        Stream.of(route.action(), route.resilience().onFailure().instead()))
                .filter(RouteAction.Proxy.class::isInstance)
                .map(action -> ((RouteAction.Proxy) action).upstream())
                .collect(Collectors.toCollection(HashSet::new));
        config.routes().stream()
                .map(RouteConfig::mirror)
                .filter(Objects::nonNull)
                .forEach(mirror -> used.add(mirror.upstream()));
        config.guards()
                .flatMap(guard -> guard.settings().values().stream())
                .forEach(value -> used.add(value.toString()));
        return config.upstreams().keySet().stream()
                .filter(name -> !used.contains(name))
                .map(name -> "upstreams." + name + " is not used: no route refers to it")
                .toList();
    }

    private static List<String> splicesOfNoEffect(GatewayConfig config) {
        List<String> warnings = new ArrayList<>();
        boolean possible = config.transport() == Transport.EPOLL || config.transport() == Transport.AUTO;
        for (int i = 0; i < config.listeners().size(); i++) {
            ListenerConfig listener = config.listeners().get(i);
            if (listener.socket().splice().bytes() > 0 && (!possible || listener.tls() != null)) {
                warnings.add("listeners[" + i
                        + "].socket.splice has no effect, because splicing requires epoll and a listener without TLS");
            }
        }
        return warnings;
    }

    private static boolean hasStaleRungWithoutCache(GatewayConfig config) {
        OverloadConfig overload = config.overload();
        return overload != null
                && overload.stale() != null
                && config.routes().stream().allMatch(route -> route.cache() == null);
    }

    @Override
    public RunningGateway start(Path file, Environment environment, GatewayConfig config) throws StartException {
        try {
            FileGateway<Lychgate> following = FileGateway.start(file, environment, Lychgate::start);
            FleetConfig fleet = config.lifecycle().fleet();
            return new Running(following, fleet == null ? null : FleetMembership.start(fleet, following));
        } catch (BindFailure | StartFailure | ConfigException e) {
            throw StartException.of(e);
        } catch (RefusedException e) {
            throw new StartException(e.details());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartException("interrupted");
        }
    }

    @Override
    public List<String> check(Path file, Environment environment, Consumer<CompileReport> report)
            throws StartException {
        try {
            return FileGateway.check(file, environment, report);
        } catch (RefusedException e) {
            throw new StartException(e.details());
        } catch (ConfigException e) {
            throw new StartException(String.valueOf(e.getMessage()), StartFailure.UNUSABLE_SETTINGS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartException("interrupted");
        }
    }

    @Override
    public Explanation explain(Path file, Environment environment, GatewayConfig config, Inquiry inquiry) {
        try {
            if (config.filters().directory() == null) {
                try (FilterAssembly assembly = FilterAssembly.of(config, NamedFilters.services())) {
                    return explain(config, inquiry, assembly);
                }
            }
            return FileGateway.look(file, environment, assembly -> explain(config, inquiry, assembly));
        } catch (RefusedException | ConfigException e) {
            return withoutFilters(config, inquiry, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return withoutFilters(config, inquiry, e);
        }
    }

    private static Explanation explain(GatewayConfig config, Inquiry inquiry, FilterAssembly assembly) {
        Set<String> routes = config.routes().stream().map(RouteConfig::id).collect(Collectors.toSet());
        try {
            FilterChains chains = FilterChains.build(assembly.filters(), routes, 1, null);
            return explain(config, inquiry, chains);
        } catch (IllegalArgumentException e) {
            return withoutFilters(config, inquiry, e);
        }
    }

    /** Explains how the first listener would handle a request. */
    private static Explanation explain(GatewayConfig config, Inquiry inquiry, @Nullable FilterChains filters) {
        RouteTable table = RouteTable.build(config.routes());
        return Explanation.of(
                table,
                config.listeners().get(0),
                filters,
                List.of(),
                limit -> RateLimitText.of(limit, config.policies()),
                (route, head) -> PriorityText.of(config, route, head),
                (route, head, secure) -> CacheUse.of(route.config(), head, secure, null, System.nanoTime()),
                inquiry);
    }

    /** Explains only the routes, because the filters can't be built. */
    private static Explanation withoutFilters(GatewayConfig config, Inquiry inquiry, Exception fault) {
        return explain(config, inquiry, (FilterChains) null).withoutFilters(String.valueOf(fault.getMessage()));
    }

    private static final class Running implements RunningGateway {
        private final Lychgate gateway;
        private final FileGateway<Lychgate> following;
        private final @Nullable FleetMembership fleet;
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile boolean drained;
        private boolean whole = true;

        /**
         * @param following the gateway together with the watcher that applies changes of its files
         * @param fleet the membership in a fleet; null if there is none
         */
        Running(FileGateway<Lychgate> following, @Nullable FleetMembership fleet) {
            this.fleet = fleet;
            this.gateway = following.gateway();
            this.following = following;
            gateway.gateway().broken().thenRun(ended::countDown);
            gateway.onDrain(() -> drain(drainTimeout()));
        }

        @Override
        public Duration drainTimeout() {
            return gateway.generation().config().drain();
        }

        @Override
        public List<Bound> listeners() {
            return gateway.gateway().listeners().stream()
                    .map(l -> new Bound(l.config().name(), l.address()))
                    .toList();
        }

        @Override
        public @Nullable InetSocketAddress admin() {
            return gateway.adminAddress();
        }

        /** Drains the gateway. A second caller waits for the end of the drain, and gets the same result. */
        @Override
        public synchronized boolean drain(Duration atMost) {
            if (!drained) {
                drained = true;
                if (fleet != null) {
                    fleet.close();
                }
                following.stopFollowing();
                whole = gateway.drain(atMost) == 0;
                following.close();
                ended.countDown();
            }
            return whole;
        }

        @Override
        public boolean isDraining() {
            return drained;
        }

        @Override
        public void endDrain() {
            gateway.gateway().endDrain();
        }

        @Override
        public void reload() {
            following.reloader().reload("requested by SIGHUP");
        }

        @Override
        public void reopenLogs() {
            gateway.reopenLogs();
        }

        @Override
        public SharedSockets sockets() {
            return gateway.sockets();
        }

        @Override
        public void onSettings(Consumer<GatewayConfig> action) {
            gateway.onSettings(action);
        }

        @Override
        public void onUpgrade(ProcessUpgrade action) {
            gateway.onUpgrade(action);
        }

        @Override
        public void awaitClosed() throws InterruptedException {
            ended.await();
        }

        @Override
        public boolean isBroken() {
            return gateway.gateway().broken().isDone();
        }
    }

    /**
     * Finds errors that prevent a start on every machine, although each record of the configuration is valid on its
     * own.
     */
    private static final class StartCheck {
        private final List<ConfigException> faults = new ArrayList<>();
        private final Map<InetSocketAddress, String> taken = new HashMap<>();

        private StartCheck() {}

        /** Returns all errors of the configuration, each with the full path of its key; empty if there are none. */
        static List<ConfigException> faults(GatewayConfig config) {
            StartCheck check = new StartCheck();
            for (int i = 0; i < config.listeners().size(); i++) {
                ListenerConfig listener = config.listeners().get(i);
                check.bind("listeners[" + i + "].address", listener.address(), "listener " + listener.name());
            }
            check.admin(config.admin());
            return check.faults;
        }

        /**
         * Adds an error if two listeners have the same address. The operating system reports no conflict between
         * sockets that share a port: both listeners would start, and each would get some of the connections.
         */
        private void bind(String key, @Nullable BindAddress address, String owner) {
            if (address == null || address.port() == 0) {
                return;
            }
            InetSocketAddress where = new InetSocketAddress(address.host(), address.port());
            String earlier = taken.putIfAbsent(where, owner);
            if (earlier != null) {
                faults.add(new ConfigException(
                        key, address, "a unique address; " + earlier + " already uses this address"));
            }
        }

        private void admin(@Nullable AdminConfig admin) {
            if (admin == null) {
                return;
            }
            bind("admin.address", admin.address(), "admin");
            try {
                AdminAccess.of(admin, null);
            } catch (ConfigException e) {
                faults.add(e);
            }
        }
    }
}
