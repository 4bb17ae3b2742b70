package dev.lychgate.gateway;

import dev.lychgate.blocking.BlockingThreads;
import dev.lychgate.blocking.CallSight;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.CertificateConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.dns.EndpointDiscovery;
import dev.lychgate.dns.NameStatus;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.exchange.Worker;
import dev.lychgate.generation.Generation;
import dev.lychgate.health.HealthMonitor;
import dev.lychgate.http.ClientRecords;
import dev.lychgate.http.Via;
import dev.lychgate.listener.BindFailure;
import dev.lychgate.listener.DescriptorBudget;
import dev.lychgate.listener.Listener;
import dev.lychgate.loop.Loop;
import dev.lychgate.loop.OpenChannels;
import dev.lychgate.loop.ReadSizes;
import dev.lychgate.origin.Connector;
import dev.lychgate.origin.OriginConnector;
import dev.lychgate.origin.OriginSockets;
import dev.lychgate.pool.LoopPools;
import dev.lychgate.pool.PoolCounters;
import dev.lychgate.pool.PoolLimits;
import dev.lychgate.upstream.UpstreamStates;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.NettyRuntime;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running gateway: its event loops, its generation and its listeners. Starting and stopping block and are not to be
 * called on an event loop; everything else may be called from any thread.
 */
public final class Gateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

    private final GatewayConfig config;
    private final MultiThreadIoEventLoopGroup group;
    private final NettyTransport transport;
    private final List<Worker> workers = new ArrayList<>();
    private final IdentityHashMap<EventLoop, Worker> workerOfLoop = new IdentityHashMap<>();
    private final List<Listener> listeners = new ArrayList<>();
    private final OpenChannels toOrigins = new OpenChannels();
    private final BlockingThreads blocking = new BlockingThreads();
    private final HealthMonitor health;
    private final EndpointDiscovery discovery;
    private final AcceptingLoops accepting = new AcceptingLoops();
    private final ScheduledExecutorService watching = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "lychgate-watchdog");
        thread.setDaemon(true);
        return thread;
    });
    private volatile FilterWatchdog watchdog;
    private final StallWatch stalls;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CompletableFuture<Void> broken = new CompletableFuture<>();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private volatile Generation generation;
    private volatile boolean ready;
    private volatile boolean draining;

    /** Stands for all settings of TLS. */
    private static final TlsConfig ANY_TLS = TlsConfig.of(CertificateConfig.pem("any", "any"));

    /** How long a generation waits for the first answers to its names. */
    private static final Duration FIRST_ANSWERS = Duration.ofSeconds(2);

    private Gateway(GatewayConfig config, FilterSet filters, ExchangeObserver observer) {
        this.config = config;
        this.transport = NettyTransport.choose(config.transport());
        int loops = config.workers() > 0 ? config.workers() : NettyRuntime.availableProcessors();
        UpstreamStates states = new UpstreamStates(loops);
        TurnsOfLoops turns = new TurnsOfLoops(transport.handlers());
        this.group = NettyTransport.group(loops, accepting, turns);
        this.discovery = new EndpointDiscovery(group.next(), transport.datagram, transport.client, this::resolved);
        try {
            discovery.prepare(config.upstreams().values(), states, FIRST_ANSWERS);
            this.generation = Generation.first(config, filters, states, loops);
        } catch (RuntimeException e) {
            discovery.close();
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw e;
        }
        generation.takeOver();
        Worker.prepare(config);
        OriginSockets sockets = originSockets();
        PoolLimits limits = new PoolLimits(loops);
        Map<Loop, Connector> connectors = new LinkedHashMap<>();
        for (EventExecutor executor : group) {
            EventLoop eventLoop = (EventLoop) executor;
            Loop loop = new Loop(eventLoop, workers.size(), turns.of(eventLoop));
            OriginConnector connector = new OriginConnector(loop, sockets, discovery.forConnects(eventLoop));
            connectors.put(loop, connector);
            LoopPools pools = new LoopPools(loop, connector, limits);
            Worker worker = new Worker(loop, pools, this::generation, observer, blocking);
            workers.add(worker);
            workerOfLoop.put(eventLoop, worker);
            loop.start();
            executor.terminationFuture().addListener(over -> onLoopEnd(eventLoop));
        }
        this.watchdog = watchdog(generation);
        this.stalls = new StallWatch(workers, () -> generation.config(), new OnStall());
        this.health = new HealthMonitor(List.copyOf(connectors.keySet()), connectors::get);
        health.adopt(generation.upstreams());
        ready = true;
        // What came too late for the first generation.
        resolved();
    }

    /** A loop ends with the gateway, or by an error that nothing can survive; its connections are dead then. */
    private void onLoopEnd(EventLoop loop) {
        if (!closed.get()) {
            LOG.error("{} has ended by itself; the gateway can't go on without it", loop);
            broken.complete(null);
        }
    }

    /** What is done about loops that stand still. */
    private final class OnStall implements StallWatch.Consequences {
        @Override
        public void onChange() {
            accepting.leaveOut(stalls::isStalled);
        }

        @Override
        public void onLook() {
            for (Listener listener : listeners) {
                listener.settle(stalls::isReplaceable);
            }
            endDrainIfOnlyStalledRemain();
        }

        @Override
        public void onGivenUp() {
            if (!closed.get() && broken.complete(null)) {
                LOG.error("an event loop stands still for good; the gateway can't go on without it");
            }
        }
    }

    /**
     * Why the gateway should get no traffic though it runs: {@code loop-stalled} after an event loop has stood still for {@code
     * stall.not-ready}; null while there is no reason.
     */
    public @Nullable String notReady() {
        return stalls.worst().compareTo(Progress.NOT_READY) >= 0 ? "loop-stalled" : null;
    }

    /** How many event loops stand still, and accept no connections. */
    public int stalledLoops() {
        return stalls.stalled();
    }

    /**
     * Completes if an event loop ends while the gateway is meant to run, or has stood still for {@code stall.exit}: what it served
     * is lost, and only a new process brings it back. Never completes otherwise.
     */
    public CompletableFuture<Void> broken() {
        return broken.copy();
    }

    /**
     * Starts a gateway; returns when every listener is bound.
     *
     * @param config the settings
     * @param filters the filters
     * @param observer hears of every exchange, on its event loop
     * @throws ConfigException if the settings can't be used
     * @throws BindFailure if a listener can't have its address
     * @throws StartFailure if the machine lacks what the settings ask for
     */
    public static Gateway start(GatewayConfig config, FilterSet filters, ExchangeObserver observer) {
        Gateway gateway = new Gateway(config, filters, observer);
        try {
            gateway.bind();
            gateway.stalls.start(gateway.watching);
            warn(gateway.generation, null);
        } catch (RuntimeException e) {
            gateway.close();
            throw e;
        }
        return gateway;
    }

    /** Starts a gateway without filters and without an observer. */
    public static Gateway start(GatewayConfig config) {
        return start(config, FilterSet.EMPTY, ExchangeObserver.NONE);
    }

    private OriginSockets originSockets() {
        return new OriginSockets(toOrigins, transport::socketTo, new ReadSizes(), config.splices());
    }

    private void bind() {
        // Unlike every other gateway's, so that only our own name in Via means a loop.
        Via via = new Via(
                "lychgate-" + Long.toHexString(ThreadLocalRandom.current().nextLong() | 1L << 63));
        ClientRecords records = ClientRecords.of(
                config.listeners().stream().map(ListenerConfig::clientAddress).toList());
        DescriptorBudget budget = DescriptorBudget.ofProcess(config);
        String shortage = budget.shortage();
        if (shortage != null) {
            throw new StartFailure(shortage, StartFailure.UNUSABLE_SETTINGS);
        }
        ListeningSockets sockets = new ListeningSockets(transport, group);
        for (ListenerConfig listenerConfig : config.listeners()) {
            int connections = budget.connections(listenerConfig);
            warnOfFewer(listenerConfig, connections, budget);
            Listener listener = new Listener(listenerConfig, connections, via, records, this::worker);
            listener.bind(sockets.of(listenerConfig, connections));
            listeners.add(listener);
        }
    }

    /** Divides the descriptors of the process again, because a new generation may have other upstreams. */
    private void limitConnections(GatewayConfig changed) {
        DescriptorBudget budget = DescriptorBudget.ofProcess(changed);
        for (Listener listener : listeners) {
            int connections = budget.connections(listener.config());
            if (connections != listener.connectionLimit()) {
                LOG.info(
                        "listener {}: accepts {} connections", listener.config().name(), connections);
                warnOfFewer(listener.config(), connections, budget);
                listener.connectionLimit(connections);
            }
        }
    }

    private static void warnOfFewer(ListenerConfig listener, int connections, DescriptorBudget budget) {
        if (connections < listener.limits().connections()) {
            LOG.warn(
                    "listener {}: accepts {} connections instead of {}: {}",
                    listener.name(),
                    connections,
                    listener.limits().connections(),
                    budget.summary());
        }
    }

    private Worker worker(EventLoop loop) {
        Worker worker = workerOfLoop.get(loop);
        if (worker == null) {
            throw new IllegalStateException("a connection on a loop that is not ours");
        }
        return worker;
    }

    /** The newest generation. */
    public Generation generation() {
        return generation;
    }

    /** As {@link #apply(GatewayConfig, FilterSet)}, with the filters there are. */
    public Generation apply(GatewayConfig changed) {
        return apply(changed, generation.filterSet());
    }

    /**
     * Builds the next generation and lets it take over: exchanges that begin from now on meet it, those that are under way
     * keep theirs. Listeners stay as they are. May block, as the self-checks of filters may.
     *
     * @throws ConfigException if the settings or the filters can't be used; the running generation is not touched then
     */
    public Generation apply(GatewayConfig changed, FilterSet filters) {
        if (!withoutTls(changed).equals(withoutTls(config))) {
            throw new ConfigException("listeners", "changed", "the listeners the gateway was started with");
        }
        String shortage = DescriptorBudget.ofProcess(changed).shortage();
        if (shortage != null) {
            throw new ConfigException("upstreams", "too many connections", "fewer: " + shortage);
        }
        // Not under the lock: an answer takes it to change the generation there is.
        discovery.prepare(changed.upstreams().values(), generation.upstreamStates(), FIRST_ANSWERS);
        return replace(changed, filters);
    }

    /** What of the listeners only a restart changes: all but how they speak TLS, if they do. */
    private static List<ListenerConfig> withoutTls(GatewayConfig of) {
        return of.listeners().stream()
                .map(listener -> listener.tls() == null ? listener : listener.withTls(ANY_TLS))
                .toList();
    }

    private synchronized Generation replace(GatewayConfig changed, FilterSet filters) {
        Generation before = generation;
        Generation next;
        try {
            next = before.next(changed, filters, workers.size());
        } catch (RuntimeException e) {
            discovery.adopt(before.config().upstreams().values(), before.upstreamStates());
            throw e;
        }
        next.takeOver();
        Worker.prepare(changed);
        begin(next);
        limitConnections(changed);
        discovery.adopt(changed.upstreams().values(), next.upstreamStates());
        watchdog.close();
        watchdog = watchdog(next);
        LOG.info(
                "generation {}: {} routes, {} upstreams, {} filters",
                next.number(),
                changed.routes().size(),
                changed.upstreams().size(),
                filters.entries().size());
        warn(next, before);
        return next;
    }

    /** A name has other addresses than before. May block. */
    private synchronized void resolved() {
        if (!ready || closed.get()) {
            return;
        }
        Generation next = generation.resolved(workers.size());
        if (next != generation) {
            next.takeOverEndpoints();
            begin(next);
        }
    }

    private void begin(Generation next) {
        generation = next;
        health.adopt(next.upstreams());
        // A loop without traffic would keep the last generation, and its filters' classes, until its next exchange.
        workers.forEach(worker -> worker.loop().eventLoop().execute(worker::generation));
    }

    /** How the lookups of the names of its endpoints have gone. */
    public List<NameStatus> nameStatuses() {
        return discovery.statuses();
    }

    /** Says what is allowed but hardly meant, unless it has been said of the generation before. */
    private static void warn(Generation of, @Nullable Generation before) {
        of.warnOfTls();
        List<String> warnings = of.routes().warnings();
        if (before == null || !warnings.equals(before.routes().warnings())) {
            warnings.forEach(warning -> LOG.warn("{}", warning));
        }
    }

    private FilterWatchdog watchdog(Generation of) {
        return new FilterWatchdog(
                of.config().filters().guard(),
                workers,
                blocking,
                !of.filters().slots().isEmpty(),
                watching);
    }

    public List<Listener> listeners() {
        return List.copyOf(listeners);
    }

    /** Where a listener is bound. @throws IllegalArgumentException if there is none of that name */
    public InetSocketAddress address(String listener) {
        return listeners.stream()
                .filter(l -> l.config().name().equals(listener))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no listener " + listener))
                .address();
    }

    /** The name of the transport in use: {@code epoll}, {@code io_uring} or {@code nio}. */
    public String transport() {
        return transport.label();
    }

    /** The event loops, for tests. */
    Iterable<EventExecutor> loops() {
        return group;
    }

    /** How many event loops there are. */
    public int workers() {
        return workers.size();
    }

    /** Looks at every event loop, in their order. Costs a task on each, and a look at every client connection. */
    public List<LoopProbe> probeLoops() {
        List<Map<EventLoop, Integer>> open =
                listeners.stream().map(Listener::openByLoop).toList();
        List<LoopProbe> probes = new ArrayList<>();
        for (Worker worker : workers) {
            EventLoop loop = worker.loop().eventLoop();
            int clients =
                    open.stream().mapToInt(each -> each.getOrDefault(loop, 0)).sum();
            probes.add(LoopProbe.of(worker, clients));
        }
        return probes;
    }

    /** Calls of blocking filters that have a thread, and where they are. @param most how many at the most */
    public List<CallSight> blockingCalls(int most) {
        return blocking.sights(most);
    }

    /**
     * What the pools have done and hold, by upstream and endpoint ({@code api/10.0.0.1:9000}), all loops added up, but those that
     * stand still.
     */
    public CompletableFuture<Map<String, PoolCounters>> poolCounters() {
        List<CompletableFuture<Map<String, PoolCounters>>> parts = new ArrayList<>();
        for (Worker worker : workers) {
            if (stalls.isStalled(worker.loop().eventLoop())) {
                continue;
            }
            parts.add(CompletableFuture.supplyAsync(
                    () -> {
                        Map<String, PoolCounters> part = new LinkedHashMap<>();
                        worker.pools()
                                .all()
                                .forEach(pool -> part.merge(
                                        pool.key().upstream() + "/"
                                                + pool.key().endpoint().authority(),
                                        pool.counters(),
                                        PoolCounters::plus));
                        return part;
                    },
                    worker.loop().eventLoop()));
        }
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new)).thenApply(done -> {
            Map<String, PoolCounters> sum = new LinkedHashMap<>();
            parts.forEach(part -> part.join().forEach((name, n) -> sum.merge(name, n, PoolCounters::plus)));
            return sum;
        });
    }

    /**
     * Accepts nothing more, lets everything that is under way finish, closes idle connections, and stops.
     *
     * @param within how long to wait before the rest is cut
     * @return how many client connections had to be cut; 0 after a clean drain
     */
    public int drain(Duration within) {
        CompletableFuture<Void> empty =
                CompletableFuture.allOf(listeners.stream().map(Listener::drain).toArray(CompletableFuture[]::new));
        draining = true;
        String why = "the drain was ended";
        try {
            CompletableFuture.anyOf(empty, drained).get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            why = "the drain took longer than " + within;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (java.util.concurrent.ExecutionException e) {
            LOG.error("the drain failed", e);
        }
        int cut = 0;
        if (!empty.isDone()) {
            cut = listeners.stream().mapToInt(Listener::close).sum();
            LOG.warn("{}: {} connections were cut", why, cut);
        }
        close();
        return cut;
    }

    /** Ends a drain that is under way, or the next one, at once: what has not finished is cut. Returns before that is done. */
    public void endDrain() {
        drained.complete(null);
    }

    /** What lives on loops that stand still does not finish: a drain does not wait for it. */
    private void endDrainIfOnlyStalledRemain() {
        if (draining
                && stalls.stalled() > 0
                && listeners.stream()
                        .allMatch(listener ->
                                listener.openByLoop().keySet().stream().allMatch(stalls::isStalled))) {
            endDrain();
        }
    }

    /** Stops now: whatever is under way is cut. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        listeners.forEach(Listener::close);
        discovery.close();
        health.close();
        LoopShutdown.run(group, workers, toOrigins, listeners);
        blocking.close();
        watching.shutdownNow();
    }
}
