package dev.lychgate.listener;

import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.SocketOptions;
import dev.lychgate.exchange.Worker;
import dev.lychgate.http.ClientRecords;
import dev.lychgate.http.Via;
import dev.lychgate.loop.OpenChannels;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.unix.UnixChannelOption;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One bound port. Accepts connections and {@linkplain ConnectionStart prepares} each connection for its first request.
 * Address and settings may {@linkplain #change change}; a connection keeps the settings with which it was accepted.
 * Thread-safe, except that one thread at a time changes a listener.
 */
public final class Listener {
    /** The maximum wait for the close of a replaced socket. A stalled event loop must not delay a change for longer. */
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(1);

    private final AcceptGate gate;
    private final Function<EventLoop, Worker> workers;
    private final OpenChannels connections = new OpenChannels();
    /** The settings in force. */
    private volatile ListenerConfig config;
    /** The settings of connections that are accepted now. */
    private volatile ListenerContext context;

    private volatile List<Acceptor> acceptors = List.of();

    /**
     * Creates a listener that is not bound yet.
     *
     * @param config address, limits and protocols
     * @param connections limit of open connections
     * @param via the gateway's entry in {@code Via}
     * @param clientRecords the headers in which proxies of any listener record the client
     * @param workers returns the worker of an event loop
     */
    public Listener(
            ListenerConfig config,
            int connections,
            Via via,
            ClientRecords clientRecords,
            Function<EventLoop, Worker> workers) {
        this.gate = new AcceptGate(connections, new ListenerCounters());
        this.config = config;
        this.context = new ListenerContext(config, gate, via, clientRecords);
        this.workers = workers;
    }

    /**
     * Binds the address. Blocks until the address is bound; must not be called on an event loop.
     *
     * @param sockets the listening sockets; if there are several, they must be able to share a port
     * @throws BindFailure if the address cannot be bound
     */
    public void bind(List<ListeningSocket> sockets) {
        List<Acceptor> bound = open(config, sockets, InheritedSockets.isHeldBack(), false);
        bound.forEach(gate::guard);
        acceptors = bound;
        if (!InheritedSockets.isHeldBack()) {
            gate.release();
        }
    }

    /**
     * Binds the address of changed settings. The sockets accept no connections until they are passed to
     * {@link #change}. Blocks like {@link #bind}.
     *
     * @param joins whether another listening socket of this process already has the port; if true, {@link #sharePort}
     *     must have been called on the listener of that socket
     * @throws BindFailure if the address cannot be bound
     */
    public BoundSockets prepare(ListenerConfig changed, List<ListeningSocket> sockets, boolean joins) {
        return new BoundSockets(open(changed, sockets, true, joins));
    }

    /** Permits other sockets of this process to bind the port. Has no effect if the transport does not support this. */
    public void sharePort() {
        acceptors.forEach(acceptor -> acceptor.channel().config().setOption(UnixChannelOption.SO_REUSEPORT, true));
    }

    /**
     * Uses changed settings for all connections that are accepted from now on. Connections that are already open keep
     * their settings, and end if these settings have changed: HTTP/1.1 connections close after their next response, and
     * HTTP/2 connections take no more streams after they have announced their end.
     *
     * <p>Blocks until replaced sockets are closed; must not be called on an event loop.
     *
     * @param moved the sockets that replace the current sockets; null to keep the current sockets
     * @return whether open connections end
     */
    public boolean change(ListenerConfig changed, ClientRecords records, @Nullable BoundSockets moved) {
        ListenerContext before = context;
        boolean ends = !before.serves(changed, records);
        config = changed;
        if (ends) {
            context = before.with(changed, records);
        }
        if (moved != null) {
            List<Acceptor> replaced = acceptors;
            acceptors = moved.acceptors();
            gate.replace(replaced, acceptors);
            // Waits for the close, so that no client reaches a replaced socket after the change.
            replaced.forEach(acceptor -> acceptor.retire(LONGEST_CLOSE));
        } else if (!before.config().socket().equals(changed.socket())) {
            acceptors.forEach(acceptor -> acceptor.adapt(changed.socket()));
        }
        if (ends) {
            before.retire();
            onEach(connection -> connection.retire(before));
        }
        return ends;
    }

    /**
     * Returns whether two settings of a listener differ at most in settings that belong to a generation: the TLS
     * settings of a listener with TLS, the redirect to HTTPS, and all policies.
     */
    public static boolean differOnlyInPolicies(ListenerConfig one, ListenerConfig other) {
        return ListenerContext.withoutPolicies(one).equals(ListenerContext.withoutPolicies(other));
    }

    private List<Acceptor> open(ListenerConfig config, List<ListeningSocket> sockets, boolean held, boolean joins) {
        InetSocketAddress address =
                new InetSocketAddress(config.address().host(), config.address().port());
        if (!joins && sockets.size() > 1 && sockets.stream().allMatch(socket -> socket.inherited() == null)) {
            requireFree(config, address);
        }
        List<Acceptor> opened = new ArrayList<>();
        for (ListeningSocket socket : sockets) {
            configure(socket.bootstrap(), config.socket());
            if (socket.inherited() != null) {
                configure(socket.inherited(), config.socket());
            }
            ChannelFuture bound = socket.open(address, held, joins).awaitUninterruptibly();
            Throwable cause = bound.cause();
            if (cause != null) {
                close(opened);
                throw new BindFailure(config, cause);
            }
            Acceptor acceptor =
                    new Acceptor(socket.bootstrap(), bound.channel(), socket.inherited() != null, this::rebound);
            opened.add(acceptor);
            // With port 0, the system chooses the port of the first socket; the others use the same port.
            address = acceptor.address();
        }
        return List.copyOf(opened);
    }

    /**
     * Prepares the listening sockets for another process, which then accepts connections from them, too. From now on,
     * the sockets are not moved away from stalled event loops, because closing them would shut them down for both
     * processes.
     *
     * @return the descriptors of the sockets, which still belong to this listener; empty if the transport has none, or
     *     if one of the sockets is being moved
     */
    public List<Integer> share() {
        List<Integer> descriptors =
                acceptors.stream().map(Acceptor::share).filter(Objects::nonNull).toList();
        return descriptors.size() == acceptors.size() ? descriptors : List.of();
    }

    /** Accepts connections from sockets that were inherited from another process, or were held back. */
    public void acceptInherited() {
        gate.release();
    }

    /**
     * Accepts no more connections, and refuses further requests on open connections. Called before the generation
     * without this listener is in force, because that generation has no policies for the listener.
     */
    public void leave() {
        context.remove();
        closeAcceptors();
    }

    /** Accepts no more connections. Open connections stay open until {@link #drain}. */
    public void stopAccepting() {
        closeAcceptors();
    }

    /** Ends the effect of {@link #share}: the sockets may be moved away from stalled event loops again. */
    public void keep() {
        acceptors.forEach(Acceptor::keep);
    }

    private void closeAcceptors() {
        close(acceptors);
    }

    private static void close(List<Acceptor> all) {
        all.forEach(acceptor -> acceptor.channel().close());
    }

    private void rebound(Channel channel) {
        if (gate.isStopped()) {
            channel.close();
        } else {
            gate.adjust(channel);
        }
    }

    /**
     * Moves listening sockets away from stalled event loops, so that other loops accept the connections. A socket with
     * a fixed loop is bound again when that loop recovers. Does not block; called repeatedly by one thread.
     *
     * @param stalled returns whether a loop is stalled while another loop makes progress
     */
    public void settle(Predicate<EventLoop> stalled) {
        if (!gate.isStopped()) {
            acceptors.forEach(acceptor -> acceptor.settle(stalled));
        }
    }

    /**
     * Checks that no other process uses the port. Sockets that can share their port would also share it with another
     * process, which would then receive some of the connections without any error message. This method therefore tries
     * to bind a socket that cannot share its port.
     */
    private static void requireFree(ListenerConfig config, InetSocketAddress address) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(address);
        } catch (IOException e) {
            throw new BindFailure(config, e);
        }
    }

    private void configure(ServerBootstrap bootstrap, SocketOptions socket) {
        bootstrap.option(ChannelOption.SO_BACKLOG, socket.backlog()).option(ChannelOption.SO_REUSEADDR, true);
        if (socket.receiveBuffer().bytes() > 0) {
            // The option is set on the listening socket, because the window scale of a connection is fixed before the
            // connection is accepted.
            bootstrap.option(ChannelOption.SO_RCVBUF, socket.receiveBuffer().asInt());
        }
        bootstrap.childHandler(new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel channel) {
                accept(channel);
            }
        });
    }

    private void accept(Channel channel) {
        if (channel.remoteAddress() == null) {
            // The client has already closed the connection.
            channel.close();
            return;
        }
        gate.opened();
        channel.closeFuture().addListener(closed -> gate.closed());
        connections.add(channel);
        Worker worker = workers.apply(channel.eventLoop());
        ListenerContext accepting = context;
        channel.config().setAllocator(worker.loop().allocator());
        channel.config().setWriteBufferWaterMark(accepting.watermarks);
        int sendBuffer = accepting.config().socket().sendBuffer().asInt();
        if (sendBuffer > 0) {
            channel.config().setOption(ChannelOption.SO_SNDBUF, sendBuffer);
        }
        new ConnectionStart(accepting, worker, channel).begin();
    }

    /** Returns the settings in force. */
    public ListenerConfig config() {
        return config;
    }

    /**
     * Returns the bound address; if the configuration has port 0, the address contains the port that the system chose.
     */
    public InetSocketAddress address() {
        return acceptors.get(0).address();
    }

    /** Returns the limit of open connections: as configured, or less if the process may open too few files. */
    public int connectionLimit() {
        return gate.limit();
    }

    /**
     * Changes the limit of open connections. If the new limit is lower, all open connections stay open. Thread-safe.
     */
    public void connectionLimit(int changed) {
        gate.limit(changed);
    }

    public ListenerCounters counters() {
        return context.counters;
    }

    /**
     * Returns the number of open connections for each event loop with open connections. Iterates over all connections.
     */
    public Map<EventLoop, Integer> openByLoop() {
        Map<EventLoop, Integer> open = new HashMap<>();
        for (Channel channel : connections) {
            if (channel.isRegistered()) {
                open.merge(channel.eventLoop(), 1, Integer::sum);
            }
        }
        return open;
    }

    /**
     * Stops accepting, lets current requests finish, and closes each connection after its response.
     *
     * @return completes when the last connection has closed
     */
    public CompletableFuture<Void> drain() {
        CompletableFuture<Void> empty = gate.stop();
        context.drain();
        closeAcceptors();
        onEach(ClientConnection::drain);
        return empty;
    }

    /**
     * Stops accepting and closes all connections. Pending requests receive a 503, and responses that have begun are
     * aborted. This method does not wait: the connections are closed when the loops have run the tasks that this method
     * submits.
     *
     * @return the number of connections
     */
    public int close() {
        gate.stop();
        closeAcceptors();
        int cut = connections.size();
        onEach(ClientConnection::cut);
        return cut;
    }

    /**
     * Closes the connections that are still open after {@link #close}.
     *
     * @param loops selects the event loops whose connections are closed
     * @return the pending closes
     */
    public List<Future<?>> closeNow(Predicate<EventLoop> loops) {
        return connections.closeNow(loops);
    }

    private void onEach(Consumer<ClientConnection> what) {
        for (Channel channel : connections) {
            if (channel.eventLoop().isShuttingDown()) {
                continue;
            }
            channel.eventLoop().execute(() -> {
                ClientConnection connection = ClientConnection.of(channel);
                if (connection != null) {
                    what.accept(connection);
                }
            });
        }
    }
}
