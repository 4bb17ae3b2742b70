package dev.lychgate.server.admin;

import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.listener.BindFailure;
import dev.lychgate.listener.InheritedSockets;
import dev.lychgate.listener.ListeningSocket;
import dev.lychgate.server.loop.ServerLoops;
import dev.lychgate.tls.ServerTls;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.unix.UnixChannelOption;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The admin listener. One daemon thread serves all connections and never blocks; slow work runs on other threads. The
 * methods that start and close the listener block, so they must not be called on this thread.
 *
 * <p>At most {@code admin.connections} connections are open. If this limit is reached, a new connection replaces an
 * idle connection. A connection is closed if the client sends nothing for 30 seconds, or takes more than 10 seconds for
 * one request.
 */
public final class AdminServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
    private static final int READ_TIMEOUT_SECONDS = 30;
    private static final int LONGEST_START_LINE = 2048;
    private static final int LARGEST_HEADERS = 8192;
    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(10);
    private static final Duration LATENESS = Duration.ofSeconds(1);
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(1);

    /**
     * The maximum number of bytes of one read. The requests of a read are decoded together, and the next read starts
     * after their last response.
     */
    private static final int READ_BYTES = 4096;

    /**
     * An upper bound for the number of requests in one read. Even the shortest request line has about 16 bytes, so a
     * read always contains fewer requests than this bound.
     */
    private static final int PIPELINE_DEPTH = READ_BYTES / 4;

    private final EventLoopGroup group = ServerLoops.start(1, "lychgate-admin");
    private final Connections connections = new Connections();
    private final AdminSource source;
    private final ServerBootstrap bootstrap;
    private volatile boolean addressesOnly;
    private final Gatekeeper gatekeeper;
    private final Duration longestRequest;
    private volatile Channel acceptor;

    /**
     * The pages. The first connection creates them on a separate thread, because their creation loads many classes and
     * reads files. This work must not delay the gateway's first clients.
     */
    private volatile @Nullable CompletableFuture<AdminPages> pages;

    private final BiFunction<AdminSource, EventLoop, AdminPages> maker;

    /**
     * Whether a failure to create the pages has been logged. Only one thread at a time creates pages and writes this
     * field.
     */
    private volatile boolean toldOfFault;

    private volatile boolean closing;

    private AdminServer(
            AdminConfig config,
            AdminAccess access,
            AdminSource source,
            Times times,
            BiFunction<AdminSource, EventLoop, AdminPages> maker) {
        this.maker = maker;
        this.longestRequest = times.longestRequest();
        this.gatekeeper = new Gatekeeper(access, times.lateness());
        this.source = source;
        this.addressesOnly = config.isLocal();
        this.bootstrap = new ServerBootstrap()
                .group(group)
                .option(ChannelOption.SO_REUSEADDR, true)
                // Requests are read on demand; see AdminConnection.
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES))
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel);
                    }
                });
        ChannelFuture bound = open(bootstrap, socket(config)).awaitUninterruptibly();
        Throwable cause = bound.cause();
        if (cause != null) {
            ServerLoops.stop(group);
            throw new StartFailure("admin: can't bind " + config.address() + ": " + BindFailure.reason(cause));
        }
        acceptor = bound.channel();
        if (!InheritedSockets.isHeldBack()) {
            acceptConnections();
        }
    }

    private static InetSocketAddress socket(AdminConfig config) {
        return new InetSocketAddress(config.address().host(), config.address().port());
    }

    /**
     * Binds another address, which accepts no connections until it is passed to {@link #move}. Blocks until the address
     * is bound.
     *
     * @throws ConfigException if the address cannot be bound
     */
    public Channel prepare(AdminConfig changed) {
        boolean joins = changed.address().port() == address().getPort();
        if (joins) {
            acceptor.config().setOption(UnixChannelOption.SO_REUSEPORT, true);
        }
        ChannelFuture bound = ListeningSocket.bound(bootstrap.clone().channel(ServerLoops.sockets()))
                .open(socket(changed), true, joins)
                .awaitUninterruptibly();
        Throwable cause = bound.cause();
        if (cause != null) {
            throw new ConfigException(
                    "admin.address",
                    changed.address(),
                    "an address that can be bound: " + BindFailure.reason(cause),
                    cause);
        }
        return bound.channel();
    }

    /** Accepts connections at another address, and no longer at the current one. Open connections stay open. */
    public void move(AdminConfig changed, Channel prepared) {
        Channel before = acceptor;
        addressesOnly = changed.isLocal();
        acceptor = prepared;
        prepared.config().setAutoRead(true);
        before.close();
    }

    /** Adopts the socket of the process that this process replaces, or binds the address. */
    private static ChannelFuture open(ServerBootstrap bootstrap, InetSocketAddress where) {
        List<Integer> inherited = Epoll.isAvailable() ? InheritedSockets.adopt(where) : List.of();
        if (inherited.isEmpty()) {
            return ListeningSocket.bound(bootstrap.clone().channel(ServerLoops.sockets()))
                    .open(where);
        }
        // The admin listener has one socket, but its address may have belonged to a listener with several sockets.
        inherited.stream().skip(1).forEach(InheritedSockets::add);
        return ListeningSocket.adopted(bootstrap, bootstrap.clone(), inherited.get(0))
                .open(where);
    }

    /**
     * The time limit and the delay of an admin listener.
     *
     * @param longestRequest time limit from the first byte of a request to its last
     * @param lateness delay of the response to a wrong token
     */
    record Times(Duration longestRequest, Duration lateness) {}

    /**
     * Starts the admin listener, and returns when the listener is bound.
     *
     * @param config address and required credentials; port 0 lets the operating system choose the port
     * @throws ConfigException if the token or the certificates are not readable
     * @throws StartFailure if the listener can't bind its address
     */
    public static AdminServer start(AdminConfig config, AdminSource source) {
        return start(config, source, new Times(LONGEST_REQUEST, LATENESS), AdminPages::new);
    }

    /**
     * Starts the admin listener like {@link #start(AdminConfig, AdminSource)}, but with the given times, and with pages
     * from {@code maker}.
     *
     * @param maker creates the pages
     */
    static AdminServer start(
            AdminConfig config, AdminSource source, Times times, BiFunction<AdminSource, EventLoop, AdminPages> maker) {
        return new AdminServer(config, AdminAccess.of(config, null), source, times, maker);
    }

    /** Returns the credentials in force. */
    public AdminAccess access() {
        return gatekeeper.access();
    }

    /** Changes the required credentials of new and of open connections. Thread-safe. */
    public void use(AdminAccess next) {
        gatekeeper.use(next);
    }

    /** Returns the number of requests without valid credentials. */
    public long turnedAway() {
        return gatekeeper.wrong().count();
    }

    private void accept(Channel channel) {
        AdminAccess access = gatekeeper.access();
        if (!connections.admit(channel, access)) {
            channel.close();
            return;
        }
        channel.pipeline().addLast(new ReadTimeoutHandler(READ_TIMEOUT_SECONDS));
        CompletableFuture<AdminPages> made = pages();
        if (made.isDone() && !made.isCompletedExceptionally()) {
            serve(channel, access, made.join());
            return;
        }
        made.whenCompleteAsync(
                (ready, fault) -> {
                    if (fault != null || closing) {
                        channel.close();
                    } else if (channel.isActive()) {
                        serveLate(channel, access, ready);
                    }
                },
                channel.eventLoop());
    }

    private void serveLate(Channel channel, AdminAccess access, AdminPages ready) {
        try {
            serve(channel, access, ready);
            // The channel became active before these handlers were added, so the handlers have missed this event. No
            // bytes have been read yet.
            channel.pipeline().fireChannelActive();
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("admin: a new connection can't be served; closing the connection", e);
            channel.close();
        }
    }

    /**
     * Returns the pages. Must be called on the listener's thread. After a failure, the next connection creates the
     * pages again, because files that were missing may then exist.
     */
    private CompletableFuture<AdminPages> pages() {
        CompletableFuture<AdminPages> made = pages;
        if (made == null || made.isCompletedExceptionally()) {
            made = CompletableFuture.supplyAsync(this::makePages, task -> {
                Thread thread = new Thread(task, "lychgate-admin-first");
                thread.setDaemon(true);
                thread.start();
            });
            pages = made;
        }
        return made;
    }

    private AdminPages makePages() {
        try {
            return maker.apply(source, group.next());
        } catch (RuntimeException | Error e) {
            // Logged only once, because otherwise any client could fill the log.
            if (!toldOfFault) {
                toldOfFault = true;
                LOG.error(
                        "admin: the pages can't be created; the gateway closes this connection and tries to create the"
                                + " pages again at each new connection",
                        e);
            }
            throw e;
        }
    }

    private void serve(Channel channel, AdminAccess access, AdminPages ready) {
        ServerTls tls = access.tls();
        if (tls != null) {
            tls.turnTickets(System.nanoTime());
            SslHandler handler = tls.site(null).newHandler(channel.alloc());
            handler.setHandshakeTimeout(longestRequest.toMillis(), TimeUnit.MILLISECONDS);
            channel.pipeline().addLast(handler);
        }
        HttpDecoderConfig limits = new HttpDecoderConfig()
                .setMaxInitialLineLength(LONGEST_START_LINE)
                .setMaxHeaderSize(LARGEST_HEADERS);
        channel.pipeline()
                .addLast(new HttpServerCodec(limits, PIPELINE_DEPTH))
                .addLast(new SmallRequests())
                // Passes one request at a time, even if a read contains several.
                .addLast(new FlowControlHandler())
                .addLast(new AdminConnection(ready, addressesOnly, gatekeeper, connections, tls, longestRequest));
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) acceptor.localAddress();
    }

    /** Returns the descriptor of the listening socket; null if the transport has no descriptors. */
    public @Nullable Integer descriptor() {
        return acceptor instanceof EpollServerSocketChannel socket
                ? Integer.valueOf(socket.fd().intValue())
                : null;
    }

    /** Accepts no connections until {@link #acceptConnections}. New connections wait in the queue of the socket. */
    public void holdConnections() {
        acceptor.config().setAutoRead(false);
    }

    /** Accepts connections from a socket that was inherited from another process, or was held back. */
    public void acceptConnections() {
        acceptor.config().setAutoRead(true);
    }

    /** Accepts no more connections. Open connections stay open until {@link #close}. */
    public void stopAccepting() {
        acceptor.close();
    }

    /** Stops the listener. Responses in progress have a second to complete. */
    @Override
    public void close() {
        closing = true;
        acceptor.close();
        connections.close(LAST_ANSWERS);
        ServerLoops.stop(group);
        CompletableFuture<AdminPages> made = pages;
        if (made != null) {
            made.thenAccept(AdminPages::close);
        }
    }
}
