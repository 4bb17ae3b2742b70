package dev.lychgate.gateway;

import dev.lychgate.config.BindAddress;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.Quantity;
import dev.lychgate.config.SocketOptions;
import dev.lychgate.exchange.Worker;
import dev.lychgate.generation.Traffic;
import dev.lychgate.http.ClientRecords;
import dev.lychgate.http.Via;
import dev.lychgate.listener.BindFailure;
import dev.lychgate.listener.BoundSockets;
import dev.lychgate.listener.Listener;
import io.netty.channel.EventLoop;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of a gateway. They change together with the stable generation: new addresses are bound before the
 * generation is in force, and replaced addresses are closed afterwards. Thread-safe, except that one thread at a time
 * changes the listeners.
 */
final class Listeners {
    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    /** The pseudonym is unique among gateways, so a request with this pseudonym has passed through this gateway before. */
    private final Via via =
            new Via("lychgate-" + Long.toHexString(ThreadLocalRandom.current().nextLong() | 1L << 63));

    private final ListeningSockets sockets;
    private final Function<EventLoop, Worker> workers;
    private final ScheduledExecutorService thread;
    private volatile List<Listener> all = List.of();
    /** Removed listeners that still have open connections. */
    private final List<Listener> leaving = new CopyOnWriteArrayList<>();

    private boolean stopped;

    /**
     * Creates an empty list.
     *
     * @param workers returns the worker of an event loop
     * @param thread closes the connections of removed listeners that are still open after the drain timeout
     */
    Listeners(ListeningSockets sockets, Function<EventLoop, Worker> workers, ScheduledExecutorService thread) {
        this.sockets = sockets;
        this.workers = workers;
        this.thread = thread;
    }

    /** Returns the listeners in the order of the configuration. */
    List<Listener> all() {
        return all;
    }

    /** Returns all listeners, including removed listeners with open connections. */
    List<Listener> withLeaving() {
        List<Listener> open = new ArrayList<>(all);
        open.addAll(leaving);
        return open;
    }

    /**
     * Binds the first listeners.
     *
     * @throws BindFailure if an address cannot be bound; the listeners that are already bound stay in the list
     */
    void bind(GatewayConfig config, DescriptorBudget budget) {
        ClientRecords records = records(config);
        for (ListenerConfig each : config.listeners()) {
            int connections = budget.connections(each);
            warnOfFewer(each, connections, budget);
            Listener listener = new Listener(each, connections, via, records, workers);
            listener.bind(sockets.of(each, connections));
            List<Listener> bound = new ArrayList<>(all);
            bound.add(listener);
            all = List.copyOf(bound);
        }
    }

    private static ClientRecords records(GatewayConfig config) {
        return ClientRecords.of(
                config.listeners().stream().map(ListenerConfig::clientAddress).toList());
    }

    // ---- changes

    /**
     * Binds the addresses that {@code changed} adds. Nothing else changes before {@link Change#commit}. Blocks until the
     * addresses are bound.
     *
     * @throws ConfigException if an address cannot be bound; in this case, nothing changes
     */
    Change prepare(GatewayConfig changed, DescriptorBudget budget) {
        Change change = new Change(changed, budget);
        try {
            change.bind();
        } catch (RuntimeException e) {
            change.close();
            throw e;
        }
        return change;
    }

    /** The next list of listeners, with the sockets that are already bound. */
    final class Change implements AutoCloseable {
        private final GatewayConfig changed;
        private final DescriptorBudget budget;
        private final ClientRecords records;
        private final Map<String, Listener> next = new LinkedHashMap<>();
        private final Map<String, BoundSockets> bound = new LinkedHashMap<>();

        private Change(GatewayConfig changed, DescriptorBudget budget) {
            this.changed = changed;
            this.budget = budget;
            this.records = records(changed);
        }

        private void bind() {
            requireDistinctAddresses(changed.listeners());
            for (ListenerConfig each : changed.listeners()) {
                Listener existing = named(each.name());
                next.put(
                        each.name(),
                        existing == null
                                ? new Listener(each, budget.connections(each), via, records, workers)
                                : existing);
            }
            // If the gateway already uses a port, connections may arrive at a new socket for this port at once. These
            // connections are lost if another address cannot be bound, so such ports are bound last.
            bindAll(false);
            bindAll(true);
        }

        private void bindAll(boolean joining) {
            List<ListenerConfig> configs = changed.listeners();
            for (int i = 0; i < configs.size(); i++) {
                ListenerConfig each = configs.get(i);
                Listener existing = named(each.name());
                List<Listener> samePort = usersOf(each.address());
                if (samePort.isEmpty() == joining || (existing != null && keepsSockets(existing.config(), each))) {
                    continue;
                }
                samePort.forEach(Listener::sharePort);
                try {
                    bound.put(
                            each.name(),
                            Objects.requireNonNull(next.get(each.name()))
                                    .prepare(each, sockets.of(each, budget.connections(each)), joining));
                } catch (BindFailure e) {
                    throw new ConfigException(
                            "listeners[" + i + "].address",
                            each.address(),
                            "an address that can be bound: " + BindFailure.reason(Objects.requireNonNull(e.getCause())),
                            e);
                } catch (StartFailure e) {
                    throw new ConfigException(
                            "listeners[" + i + "].socket", "changed", String.valueOf(e.getMessage()), e);
                }
            }
        }

        /** Makes removed listeners refuse connections and requests. Called before the new generation is in force. */
        void leave() {
            all.stream().filter(listener -> !next.containsValue(listener)).forEach(Listener::leave);
        }

        /** Uses the changed settings for new connections, and closes the replaced sockets. */
        void commit() {
            synchronized (Listeners.this) {
                List<Listener> before = all;
                for (ListenerConfig each : changed.listeners()) {
                    Listener listener = Objects.requireNonNull(next.get(each.name()));
                    adapt(listener, each, !before.contains(listener));
                }
                all = List.copyOf(next.values());
                before.stream()
                        .filter(listener -> !all.contains(listener))
                        .forEach(listener -> remove(listener, changed.drain()));
                bound.clear();
                if (stopped) {
                    all.forEach(Listener::drain);
                }
            }
        }

        private void adapt(Listener listener, ListenerConfig config, boolean added) {
            String before = added ? "" : NetUtil.toSocketAddressString(listener.address());
            boolean changes = listener.change(config, records, bound.get(config.name()));
            String address = NetUtil.toSocketAddressString(listener.address());
            if (added) {
                LOG.info("listener {} added: listening on {}", config.name(), address);
            } else if (!address.equals(before)) {
                LOG.info("listener {} moved from {} to {}", config.name(), before, address);
            } else if (changes) {
                LOG.info("listener {}: new connections use the changed settings", config.name());
            }
        }

        /** Closes the sockets that are bound but not in use. Has no effect after {@link #commit}. */
        @Override
        public void close() {
            bound.values().forEach(BoundSockets::close);
            bound.clear();
        }
    }

    /**
     * Checks that no two listeners have the same address. Otherwise, their sockets could share the port. The system
     * would report no error, and each listener would get some of the connections.
     *
     * @throws ConfigException if two listeners have the same address, or if they have the same port and one of them
     *     uses all addresses
     */
    private static void requireDistinctAddresses(List<ListenerConfig> configs) {
        for (int i = 0; i < configs.size(); i++) {
            for (ListenerConfig earlier : configs.subList(0, i)) {
                if (overlap(earlier.address(), configs.get(i).address())) {
                    throw new ConfigException(
                            "listeners[" + i + "].address",
                            configs.get(i).address(),
                            "a unique address; listener " + earlier.name() + " already uses this address");
                }
            }
        }
    }

    private static boolean overlap(BindAddress one, BindAddress other) {
        if (one.port() == 0 || one.port() != other.port()) {
            return false;
        }
        InetAddress first = new InetSocketAddress(one.host(), one.port()).getAddress();
        InetAddress second = new InetSocketAddress(other.host(), other.port()).getAddress();
        return first == null
                || second == null
                || first.equals(second)
                || first.isAnyLocalAddress()
                || second.isAnyLocalAddress();
    }

    private @Nullable Listener named(String name) {
        return all.stream()
                .filter(listener -> listener.config().name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private List<Listener> usersOf(BindAddress address) {
        return address.port() == 0
                ? List.of()
                : all.stream()
                        .filter(listener -> listener.address().getPort() == address.port())
                        .toList();
    }

    /** Returns whether the sockets of a listener remain in use after a change of its settings. */
    private static boolean keepsSockets(ListenerConfig before, ListenerConfig changed) {
        SocketOptions old = before.socket();
        SocketOptions next = changed.socket();
        // After SO_RCVBUF has been set, the system does not adapt the buffer of this socket again.
        boolean adaptsAgain =
                old.receiveBuffer().bytes() > 0 && next.receiveBuffer().bytes() == 0;
        return before.address().equals(changed.address()) && old.reusePort() == next.reusePort() && !adaptsAgain;
    }

    private void remove(Listener listener, Duration within) {
        leaving.add(listener);
        CompletableFuture<Void> empty = listener.drain();
        LOG.info(
                "listener {} removed: {} is closed, and its connections are drained",
                listener.config().name(),
                NetUtil.toSocketAddressString(listener.address()));
        empty.thenRun(() -> leaving.remove(listener));
        thread.schedule(
                () -> {
                    int cut = empty.isDone() ? 0 : listener.close();
                    if (cut > 0) {
                        LOG.warn(
                                "listener {}: {} aborted, because the drain exceeded its limit of {} ms",
                                listener.config().name(),
                                Quantity.of(cut, "connection"),
                                within.toMillis());
                    }
                },
                within.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    // ---- limits

    /**
     * Recomputes the division of the process's file descriptors, because the upstreams of a new generation may need
     * more or fewer descriptors.
     */
    void limit(Traffic changed) {
        Traffic.Candidate candidate = changed.candidate();
        DescriptorBudget budget = DescriptorBudget.ofProcess(
                changed.stable().config(),
                candidate == null ? null : candidate.generation().config());
        for (Listener listener : all) {
            int connections = budget.connections(listener.config());
            if (connections != listener.connectionLimit()) {
                LOG.info(
                        "listener {}: accepts up to {} from now on",
                        listener.config().name(),
                        Quantity.of(connections, "connection"));
                warnOfFewer(listener.config(), connections, budget);
                listener.connectionLimit(connections);
            }
        }
    }

    private static void warnOfFewer(ListenerConfig listener, int connections, DescriptorBudget budget) {
        if (connections < listener.limits().connections()) {
            LOG.warn("{}", fewer(listener, connections, budget));
        }
    }

    /** Returns a sentence for a listener that accepts fewer connections than configured. */
    static String fewer(ListenerConfig listener, int connections, DescriptorBudget budget) {
        return "listener " + listener.name() + ": accepts " + Quantity.of(connections, "connection") + " instead of "
                + listener.limits().connections() + ": " + budget.summary() + "; raise ulimit -n to accept more";
    }

    // ---- the end

    /**
     * Drains all listeners.
     *
     * @return completes when the last connection has closed
     */
    synchronized CompletableFuture<Void> drain() {
        stopped = true;
        return CompletableFuture.allOf(
                withLeaving().stream().map(Listener::drain).toArray(CompletableFuture[]::new));
    }

    /** Closes all listeners; see {@link Listener#close}. */
    synchronized int close() {
        stopped = true;
        return withLeaving().stream().mapToInt(Listener::close).sum();
    }
}
