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
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One bound port. Accepts connections and {@linkplain ConnectionStart prepares} each connection for its first request.
 * Thread-safe.
 */
public final class Listener {
    private final ListenerContext context;
    private final Function<EventLoop, Worker> workers;
    private final OpenChannels connections = new OpenChannels();
    private final List<Acceptor> acceptors = new CopyOnWriteArrayList<>();

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
        this.context = new ListenerContext(config, connections, via, clientRecords, new ListenerCounters());
        this.workers = workers;
    }

    /**
     * Binds the address. Blocks until the address is bound; must not be called on an event loop.
     *
     * @param sockets the listening sockets; if there are several, they must be able to share a port
     * @throws BindFailure if the address cannot be bound
     */
    public void bind(List<ListeningSocket> sockets) {
        InetSocketAddress address = new InetSocketAddress(
                context.config().address().host(), context.config().address().port());
        if (sockets.size() > 1 && sockets.stream().allMatch(socket -> socket.inherited() == null)) {
            requireFree(address);
        }
        for (ListeningSocket socket : sockets) {
            configure(socket.bootstrap());
            if (socket.inherited() != null) {
                configure(socket.inherited());
            }
            ChannelFuture bound = socket.open(address).awaitUninterruptibly();
            Throwable cause = bound.cause();
            if (cause != null) {
                closeAcceptors();
                throw new BindFailure(context.config(), cause);
            }
            Acceptor acceptor =
                    new Acceptor(socket.bootstrap(), bound.channel(), socket.inherited() != null, this::rebound);
            acceptors.add(acceptor);
            context.gate.guard(acceptor);
            // With port 0, the system chooses the port of the first socket; the others use the same port.
            address = acceptor.address();
        }
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
        context.gate.release();
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
        acceptors.forEach(acceptor -> acceptor.channel().close());
    }

    private void rebound(Channel channel) {
        if (context.gate.isStopped()) {
            channel.close();
        } else {
            context.gate.adjust(channel);
        }
    }

    /**
     * Moves listening sockets away from stalled event loops, so that other loops accept the connections. A socket with
     * a fixed loop is bound again when that loop recovers. Does not block; called repeatedly by one thread.
     *
     * @param stalled returns whether a loop is stalled while another loop makes progress
     */
    public void settle(Predicate<EventLoop> stalled) {
        if (!context.gate.isStopped()) {
            acceptors.forEach(acceptor -> acceptor.settle(stalled));
        }
    }

    /**
     * Checks that no other process uses the port. Sockets that can share their port would also share it with another
     * process, which would then receive some of the connections without any error message. This method therefore tries
     * to bind a socket that cannot share its port.
     */
    private void requireFree(InetSocketAddress address) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(address);
        } catch (IOException e) {
            throw new BindFailure(context.config(), e);
        }
    }

    private void configure(ServerBootstrap bootstrap) {
        SocketOptions socket = context.config().socket();
        bootstrap
                .option(ChannelOption.SO_BACKLOG, socket.backlog())
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(
                                socket.lowWatermark().asInt(),
                                socket.highWatermark().asInt()));
        if (socket.receiveBuffer().bytes() > 0) {
            // The option is set on the listening socket, because the window scale of a connection is fixed before the
            // connection is accepted.
            bootstrap.option(ChannelOption.SO_RCVBUF, socket.receiveBuffer().asInt());
        }
        if (socket.sendBuffer().bytes() > 0) {
            bootstrap.childOption(ChannelOption.SO_SNDBUF, socket.sendBuffer().asInt());
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
        context.gate.opened();
        channel.closeFuture().addListener(closed -> context.gate.closed());
        connections.add(channel);
        Worker worker = workers.apply(channel.eventLoop());
        channel.config().setAllocator(worker.loop().allocator());
        new ConnectionStart(context, worker, channel).begin();
    }

    public ListenerConfig config() {
        return context.config();
    }

    /**
     * Returns the bound address; if the configuration has port 0, the address contains the port that the system chose.
     */
    public InetSocketAddress address() {
        return acceptors.get(0).address();
    }

    /** Returns the limit of open connections: as configured, or less if the process may open too few files. */
    public int connectionLimit() {
        return context.gate.limit();
    }

    /**
     * Changes the limit of open connections. If the new limit is lower, all open connections stay open. Thread-safe.
     */
    public void connectionLimit(int changed) {
        context.gate.limit(changed);
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
        context.drain();
        CompletableFuture<Void> empty = context.gate.stop();
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
        context.gate.stop();
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
