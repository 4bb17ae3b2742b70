package dev.lychgate.gateway;

import dev.lychgate.blocking.BlockingThreads;
import dev.lychgate.blocking.CallSight;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.dns.EndpointDiscovery;
import dev.lychgate.dns.NameStatus;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.exchange.Worker;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.Split;
import dev.lychgate.generation.Traffic;
import dev.lychgate.health.HealthMonitor;
import dev.lychgate.listener.BindFailure;
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
import dev.lychgate.upstream.SourceStatus;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running gateway: its event loops, generations and listeners. A method that starts or stops the gateway, or that
 * changes the generations, blocks and must not be called on an event loop. All methods are thread-safe.
 */
public final class Gateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

    private final GatewayConfig config;
    private final MultiThreadIoEventLoopGroup group;
    private final NettyTransport transport;
    private final List<Worker> workers = new ArrayList<>();
    private final IdentityHashMap<EventLoop, Worker> workerOfLoop = new IdentityHashMap<>();
    private final Listeners listeners;
    private final OpenChannels toOrigins = new OpenChannels();
    private final BlockingThreads blocking = new BlockingThreads();
    private final HealthMonitor health;
    private final EndpointDiscovery names;
    private final ChangingEndpoints discovery;
    private final AcceptingLoops accepting = new AcceptingLoops();
    private final ScheduledExecutorService watching = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "lychgate-watchdog");
        thread.setDaemon(true);
        return thread;
    });
    private final Generations generations;
    private final StallWatch stalls;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CompletableFuture<Void> broken = new CompletableFuture<>();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private volatile boolean ready;
    private volatile boolean draining;

    private Gateway(GatewayConfig config, FilterSet filters, ExchangeObserver observer) {
        this.config = config;
        this.transport = NettyTransport.choose(config.transport());
        int loops = config.workers() > 0 ? config.workers() : NettyRuntime.availableProcessors();
        UpstreamStates states = new UpstreamStates(loops);
        TurnsOfLoops turns = new TurnsOfLoops(transport.handlers());
        this.group = NettyTransport.group(loops, accepting, turns);
        this.names = new EndpointDiscovery(group.next(), transport.datagram, transport.client, this::resolved);
        this.discovery = new ChangingEndpoints(names, this::resolved);
        try {
            discovery.prepare(
                    config.targets().values(), states, config.policies().discovery(), Generations.FIRST_ANSWERS);
            Generation first = Generation.first(config, filters, states, loops);
            this.generations = new Generations(first, discovery, watching);
        } catch (RuntimeException e) {
            discovery.close();
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw e;
        }
        Worker.prepare(config);
        OriginSockets sockets = originSockets();
        PoolLimits limits = new PoolLimits(loops);
        Map<Loop, Connector> connectors = new LinkedHashMap<>();
        for (EventExecutor executor : group) {
            EventLoop eventLoop = (EventLoop) executor;
            Loop loop = new Loop(eventLoop, workers.size(), turns.of(eventLoop));
            OriginConnector connector = new OriginConnector(loop, sockets, names.forConnects(eventLoop));
            connectors.put(loop, connector);
            LoopPools pools = new LoopPools(loop, connector, limits);
            Worker worker = new Worker(loop, pools, generations::traffic, observer, blocking);
            workers.add(worker);
            workerOfLoop.put(eventLoop, worker);
            loop.start();
            executor.terminationFuture().addListener(over -> onLoopEnd(eventLoop));
        }
        FilterWatchdog watchdog = new FilterWatchdog(generations.traffic(), workers, blocking, watching);
        this.listeners = new Listeners(new ListeningSockets(transport, group), this::worker, watching);
        this.stalls = new StallWatch(workers, () -> generation().config(), watchdog::guard, new OnStall());
        this.health = new HealthMonitor(List.copyOf(connectors.keySet()), connectors::get);
        LadderWatch ladders = new LadderWatch(generations.traffic(), watching);
        generations.follow(new Generations.Followers(workers, health, watchdog, ladders, listeners));
        ready = true;
        // Applies DNS results and reports of sources that arrived too late for the first generation.
        resolved();
    }

    /**
     * Handles the end of an event loop. If the gateway is not stopping, a fatal error has ended the loop, and the
     * connections of the loop are lost.
     */
    private void onLoopEnd(EventLoop loop) {
        if (!closed.get()) {
            LOG.error(
                    "event loop {} ended unexpectedly and its connections are lost; only a new process can replace the"
                            + " loop",
                    loop);
            broken.complete(null);
        }
    }

    /** The reactions of the gateway to stalled event loops. */
    private final class OnStall implements StallWatch.Consequences {
        @Override
        public void onChange() {
            accepting.leaveOut(stalls::isStalled);
        }

        @Override
        public void onLook() {
            listeners.all().forEach(listener -> listener.settle(stalls::isReplaceable));
            endDrainIfOnlyStalledRemain();
        }

        @Override
        public void onGivenUp() {
            if (!closed.get() && broken.complete(null)) {
                LOG.error("an event loop has made no progress for longer than stall.exit; only a new process can"
                        + " replace the loop");
            }
        }
    }

    /**
     * Returns the reason why the running gateway should not get traffic: {@code loop-stalled} after an event loop has
     * stalled for {@code stall.not-ready}; null if there is no reason.
     */
    public @Nullable String notReady() {
        return stalls.worst().compareTo(Progress.NOT_READY) >= 0 ? "loop-stalled" : null;
    }

    /** Returns the number of stalled event loops, which accept no connections. */
    public int stalledLoops() {
        return stalls.stalled();
    }

    /**
     * Returns a future that completes only if an event loop ends unexpectedly or has stalled for {@code stall.exit}.
     * The connections of such a loop are lost, and only a new process can replace the loop.
     */
    public CompletableFuture<Void> broken() {
        return broken.copy();
    }

    /**
     * Starts a gateway, and returns after every listener has been bound to its address.
     *
     * @param config the configuration of the gateway and of its first generation
     * @param filters the filters of the first generation
     * @param observer receives the events of every exchange, on its event loop
     * @throws ConfigException if the configuration is invalid
     * @throws BindFailure if a listener can't be bound to its address
     * @throws StartFailure if the machine lacks a required feature or the process may open too few files
     */
    public static Gateway start(GatewayConfig config, FilterSet filters, ExchangeObserver observer) {
        Gateway gateway = new Gateway(config, filters, observer);
        try {
            gateway.bind();
            gateway.stalls.start(gateway.watching);
            Generations.warn(gateway.generation(), null);
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
        return new OriginSockets(
                toOrigins,
                transport::socketTo,
                new ReadSizes(),
                () -> generation().config().splices());
    }

    private void bind() {
        DescriptorBudget budget = DescriptorBudget.ofProcess(config, null);
        String shortage = budget.shortage();
        if (shortage != null) {
            throw new StartFailure(shortage, StartFailure.UNUSABLE_SETTINGS);
        }
        listeners.bind(config, budget);
    }

    /**
     * Returns the reason why the limit of open files is too low to start the gateway with {@code config}; null if the
     * limit suffices.
     */
    public static @Nullable String descriptorShortage(GatewayConfig config) {
        return DescriptorBudget.ofProcess(config, null).shortage();
    }

    /**
     * Returns a sentence for each listener that would accept fewer connections than {@code config} permits, because the
     * limit of open files is too low; empty if there is none.
     */
    public static List<String> descriptorWarnings(GatewayConfig config) {
        DescriptorBudget budget = DescriptorBudget.ofProcess(config, null);
        return config.listeners().stream()
                .filter(each -> budget.connections(each) < each.limits().connections())
                .map(each -> Listeners.fewer(each, budget.connections(each), budget))
                .toList();
    }

    private Worker worker(EventLoop loop) {
        Worker worker = workerOfLoop.get(loop);
        if (worker == null) {
            throw new IllegalStateException("the connection belongs to an event loop of another gateway");
        }
        return worker;
    }

    /** Returns the stable generation. Except during a rollout, no other generation is in force. */
    public Generation generation() {
        return generations.traffic().stable();
    }

    /** Returns the candidate generation; null if no rollout is in progress. */
    public @Nullable Generation candidate() {
        Traffic.Candidate candidate = generations.traffic().candidate();
        return candidate == null ? null : candidate.generation();
    }

    /**
     * Replaces the stable generation with a generation that has another configuration and the current filters; see
     * {@link #apply(GatewayConfig, FilterSet)} for the effects.
     */
    public Generation apply(GatewayConfig changed) {
        return apply(changed, generation().filterSet());
    }

    /**
     * Builds the next stable generation and swaps it in. New exchanges use the new generation; open exchanges keep the
     * generation with which they began. Listeners are added, changed and removed; open connections keep the settings
     * with which they were accepted, and end after their next response if these settings have changed. A candidate stays
     * in force and keeps its number. If certificates have been renewed, stable generation and candidate use the renewed
     * certificates. Blocks while names are resolved, self-checks of filters run and addresses are bound.
     *
     * @return the new stable generation
     * @throws ConfigException if the configuration or the filters are invalid, if an address cannot be bound, or if a
     *     listener changes during a rollout; in this case, the generations in force stay unchanged
     */
    public Generation apply(GatewayConfig changed, FilterSet filters) {
        return generations.apply(changed, filters);
    }

    /**
     * Checks whether the running gateway can use another configuration. Changes nothing.
     *
     * @throws ConfigException if {@link #apply(GatewayConfig, FilterSet)} would refuse the configuration before
     *     building a generation
     */
    public void verify(GatewayConfig changed) {
        generations.verify(changed);
    }

    /**
     * Builds a generation from the stable generation and adds it as the candidate. New exchanges that {@code split}
     * selects use the candidate; all other new exchanges use the stable generation. Each exchange keeps its generation
     * until it ends. An earlier candidate is replaced, and its number is not reused. Blocks while names are resolved
     * and self-checks of filters run.
     *
     * @return the candidate
     * @throws ConfigException if the configuration or the filters are invalid, or if a listener differs; in this case,
     *     nothing changes, and an earlier candidate stays in force
     * @see Traffic for the state that the two generations share
     */
    public Generation introduce(GatewayConfig changed, FilterSet filters, Split split) {
        return generations.introduce(changed, filters, split);
    }

    /**
     * Changes the rule that selects the exchanges of the candidate. If the new split has the same salt and a larger
     * share, the clients of the candidate keep using it, and further clients change to it. Waits until a change in
     * progress is complete.
     *
     * @throws IllegalStateException if there is no candidate
     */
    public void split(Split split) {
        generations.split(split);
    }

    /**
     * Makes the candidate the stable generation, which all new exchanges use. Open exchanges keep their generation.
     * Waits until a change in progress is complete.
     *
     * @return the former candidate
     * @throws IllegalStateException if there is no candidate
     */
    public Generation promote() {
        return generations.promote();
    }

    /**
     * Removes the candidate, if there is one. After this, all new exchanges use the stable generation; open exchanges
     * keep their generation. Waits until a change in progress is complete.
     */
    public void withdraw() {
        generations.withdraw();
    }

    /**
     * Applies changed addresses from DNS and changed endpoints of sources to the generations in force. Waits until a
     * change in progress is complete.
     */
    private void resolved() {
        if (ready && !closed.get()) {
            generations.resolved();
        }
    }

    /** Returns the DNS lookup status of each endpoint name. */
    public List<NameStatus> nameStatuses() {
        return names.statuses();
    }

    /** Returns the status of each discovered service. */
    public List<SourceStatus> sourceStatuses() {
        return discovery.statuses();
    }

    /** Returns the listeners in force, in the order of the configuration. */
    public List<Listener> listeners() {
        return listeners.all();
    }

    /**
     * Returns the bound address of a listener.
     *
     * @param listener the name of the listener
     * @throws IllegalArgumentException if the name is unknown
     */
    public InetSocketAddress address(String listener) {
        return listeners.all().stream()
                .filter(l -> l.config().name().equals(listener))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown listener " + listener))
                .address();
    }

    /** Returns the name of the transport in use: {@code epoll}, {@code io_uring} or {@code nio}. */
    public String transport() {
        return transport.label();
    }

    /** Returns the event loops, for tests. */
    Iterable<EventExecutor> loops() {
        return group;
    }

    /** Returns the number of event loops. */
    public int workers() {
        return workers.size();
    }

    /**
     * Starts a probe of every event loop, and returns the probes in the order of the loop indexes. Queues one task on
     * each loop, and iterates over all client connections one time.
     */
    public List<LoopProbe> probeLoops() {
        List<Map<EventLoop, Integer>> open =
                listeners.withLeaving().stream().map(Listener::openByLoop).toList();
        List<LoopProbe> probes = new ArrayList<>();
        for (Worker worker : workers) {
            EventLoop loop = worker.loop().eventLoop();
            int clients =
                    open.stream().mapToInt(each -> each.getOrDefault(loop, 0)).sum();
            probes.add(LoopProbe.of(worker, clients));
        }
        return probes;
    }

    /**
     * Returns the calls of blocking filters that have not ended. Each call contains the stack of its thread.
     *
     * @param most the maximum number of calls in the result
     */
    public List<CallSight> blockingCalls(int most) {
        return blocking.sights(most);
    }

    /**
     * Returns a future with the counters of the connection pools. A key consists of upstream and endpoint, such as
     * {@code api/10.0.0.1:9000}. Each counter is the sum over all event loops that are not stalled.
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
     * Stops gracefully: stops accepting connections, closes idle connections, and waits until open exchanges have
     * ended.
     *
     * @param within the maximum time to wait; connections that are still open after this time are aborted
     * @return the number of aborted client connections; 0 if all exchanges ended in time
     */
    public int drain(Duration within) {
        CompletableFuture<Void> empty = listeners.drain();
        draining = true;
        String why = "the drain was ended early";
        try {
            CompletableFuture.anyOf(empty, drained).get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            why = "the drain exceeded its limit of " + within.toMillis() + " ms";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (java.util.concurrent.ExecutionException e) {
            LOG.error("internal error while draining; the gateway stops now and aborts all open exchanges", e);
        }
        int cut = 0;
        if (!empty.isDone()) {
            cut = listeners.close();
            LOG.warn("{}; client connections aborted: {}", why, cut);
        }
        close();
        return cut;
    }

    /**
     * Ends the current drain early or, if no drain is in progress, the next drain as soon as it begins. The end of the
     * drain aborts open exchanges. This method does not wait until they are aborted.
     */
    public void endDrain() {
        drained.complete(null);
    }

    /**
     * Ends a drain if all connections that are still open belong to stalled loops. The exchanges of these connections
     * can't end.
     */
    private void endDrainIfOnlyStalledRemain() {
        if (draining
                && stalls.stalled() > 0
                && listeners.withLeaving().stream()
                        .allMatch(listener ->
                                listener.openByLoop().keySet().stream().allMatch(stalls::isStalled))) {
            endDrain();
        }
    }

    /** Stops immediately and aborts open exchanges. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        listeners.close();
        discovery.close();
        health.close();
        LoopShutdown.run(group, workers, toOrigins, listeners.withLeaving());
        generations.traffic().stable().cacheStore().close();
        blocking.close();
        watching.shutdownNow();
    }
}
