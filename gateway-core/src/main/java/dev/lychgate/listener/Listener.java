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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** One bound port: accepts connections and lets each {@link ConnectionStart begin}. Any thread may use it. */
public final class Listener {
    private final ListenerContext context;
    private final Function<EventLoop, Worker> workers;
    private final OpenChannels connections = new OpenChannels();
    private final List<Acceptor> acceptors = new CopyOnWriteArrayList<>();

    /**
     * @param config where to bind and what to take
     * @param connections how many connections it may hold open
     * @param via the gateway's word in {@code Via}
     * @param clientRecords the headers in which proxies of any listener record the client
     * @param workers the worker of an event loop
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
     * Binds. Blocks until it is done; not to be called on an event loop.
     *
     * @param sockets how each listening socket is made; if there are several, they must be able to share a port
     * @throws BindFailure if the address can't be bound
     */
    public void bind(List<ServerBootstrap> sockets) {
        InetSocketAddress address = new InetSocketAddress(
                context.config().address().host(), context.config().address().port());
        if (sockets.size() > 1) {
            requireFree(address);
        }
        for (ServerBootstrap socket : sockets) {
            ChannelFuture bound = configure(socket).bind(address).awaitUninterruptibly();
            Throwable cause = bound.cause();
            if (cause != null) {
                closeAcceptors();
                throw new BindFailure(context.config(), cause);
            }
            Acceptor acceptor = new Acceptor(socket, bound.channel(), this::rebound);
            acceptors.add(acceptor);
            context.gate.guard(acceptor);
            // With port 0 the first socket chooses, the others follow.
            address = acceptor.address();
        }
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
     * Takes listening sockets off event loops that stand still, so that other loops accept the connections; gives them back where
     * they belong to one loop. Returns at once; to be called by one thread, again and again.
     *
     * @param stalled whether a loop stands still, while another one does not
     */
    public void settle(Predicate<EventLoop> stalled) {
        if (!context.gate.isStopped()) {
            acceptors.forEach(acceptor -> acceptor.settle(stalled));
        }
    }

    /**
     * Sockets that share a port among themselves would share it with those of another process, too, and take half of its
     * clients without a word. One that does not share finds out.
     */
    private void requireFree(InetSocketAddress address) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(address);
        } catch (IOException e) {
            throw new BindFailure(context.config(), e);
        }
    }

    private ServerBootstrap configure(ServerBootstrap bootstrap) {
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
            // On the listening socket: the window scale is settled before a connection is accepted.
            bootstrap.option(ChannelOption.SO_RCVBUF, socket.receiveBuffer().asInt());
        }
        if (socket.sendBuffer().bytes() > 0) {
            bootstrap.childOption(ChannelOption.SO_SNDBUF, socket.sendBuffer().asInt());
        }
        return bootstrap.childHandler(new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel channel) {
                accept(channel);
            }
        });
    }

    private void accept(Channel channel) {
        if (channel.remoteAddress() == null) {
            // Gone again before we looked at it.
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

    /** Where it is bound; with port 0 in the configuration, the port that the system chose. */
    public InetSocketAddress address() {
        return acceptors.get(0).address();
    }

    /** Returns how many connections may be open: the configured limit, or less if the process may open too few files. */
    public int connectionLimit() {
        return context.gate.limit();
    }

    /** Changes how many connections may be open; those beyond a lower limit stay until they close. Any thread. */
    public void connectionLimit(int changed) {
        context.gate.limit(changed);
    }

    public ListenerCounters counters() {
        return context.counters;
    }

    /** How many connections are open on each event loop that has any; goes through all of them. */
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
     * Accepts nothing more, lets requests that are under way finish, and closes each connection after its answer.
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
     * Accepts nothing more and ends everything now: what has not been answered yet is answered with 503, what has begun
     * is cut. Returns before that is done; it is by the time the loops have run what they have been given.
     *
     * @return how many connections there were
     */
    public int close() {
        context.gate.stop();
        closeAcceptors();
        int cut = connections.size();
        onEach(ClientConnection::cut);
        return cut;
    }

    /** Closes what {@link #close} has left open. @param loops on which loops @return what completes when that is done */
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
