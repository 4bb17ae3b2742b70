package dev.lychgate.server.admin;

import dev.lychgate.config.AdminConfig;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.listener.BindFailure;
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
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The admin listener. One daemon thread accepts, reads, answers and closes, and waits for nothing; what takes
 * longer is done elsewhere. At most {@code admin.connections} are open: an idle one is closed for a new one. One that
 * sends nothing for 30 seconds, or takes more than 10 for a request, is closed. Starting and closing block and may be
 * done on any thread but its own.
 */
public final class AdminServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
    private static final int READ_TIMEOUT_SECONDS = 30;
    private static final int LONGEST_START_LINE = 2048;
    private static final int LARGEST_HEADERS = 8192;
    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(10);
    private static final Duration LATENESS = Duration.ofSeconds(1);
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(1);

    /** One read is decoded as a whole, and nothing more is read until all its requests are answered. */
    private static final int READ_BYTES = 4096;

    /** More than a read can hold; the shortest request line alone is some 16 bytes long. */
    private static final int PIPELINE_DEPTH = READ_BYTES / 4;

    private final EventLoopGroup group = ServerLoops.start(1, "lychgate-admin");
    private final Connections connections = new Connections();
    private final AdminSource source;
    private final boolean addressesOnly;
    private final Gatekeeper gatekeeper;
    private final Duration longestRequest;
    private final Channel acceptor;

    /**
     * Made for the first connection, on a thread of its own, since files are read for it: it is much code, and the gateway's
     * first clients need not wait for it.
     */
    private volatile @Nullable CompletableFuture<AdminPages> pages;

    private final BiFunction<AdminSource, EventLoop, AdminPages> maker;

    /** Of the threads that make pages, one after the other. */
    private volatile boolean toldOfFault;

    private volatile boolean closing;

    private AdminServer(
            AdminConfig config,
            AdminAccess access,
            AdminSource source,
            Times times,
            BiFunction<AdminSource, EventLoop, AdminPages> maker) {
        this.maker = maker;
        InetSocketAddress where =
                new InetSocketAddress(config.address().host(), config.address().port());
        this.longestRequest = times.longestRequest();
        this.gatekeeper = new Gatekeeper(access, times.lateness());
        this.source = source;
        this.addressesOnly = config.isLocal();
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(ServerLoops.sockets())
                .option(ChannelOption.SO_REUSEADDR, true)
                // Requests are read when they are wanted; see AdminConnection.
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES))
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel);
                    }
                })
                .bind(where)
                .awaitUninterruptibly();
        Throwable cause = bound.cause();
        if (cause != null) {
            ServerLoops.stop(group);
            throw new StartFailure("admin: can't bind " + config.address() + ": " + BindFailure.reason(cause));
        }
        acceptor = bound.channel();
    }

    /**
     * How long things may take.
     *
     * @param longestRequest from a request's first byte to its last
     * @param lateness from a wrong token to what is said to it
     */
    record Times(Duration longestRequest, Duration lateness) {}

    /**
     * Starts the admin listener; returns when it is bound.
     *
     * @param config where, and what is asked of whoever comes; port 0 lets the system choose
     * @param source what the pages are about
     * @throws dev.lychgate.config.ConfigException if the token or the certificates can't be read
     * @throws StartFailure if the address can't be bound
     */
    public static AdminServer start(AdminConfig config, AdminSource source) {
        return start(config, source, new Times(LONGEST_REQUEST, LATENESS), AdminPages::new);
    }

    /** As {@link #start(AdminConfig, AdminSource)}, with times of its own. @param maker of the pages */
    static AdminServer start(
            AdminConfig config, AdminSource source, Times times, BiFunction<AdminSource, EventLoop, AdminPages> maker) {
        return new AdminServer(config, AdminAccess.of(config, null), source, times, maker);
    }

    /** What is asked of whoever comes, at present. */
    public AdminAccess access() {
        return gatekeeper.access();
    }

    /** Asks for something else from now on, also on connections that are open. Any thread. */
    public void use(AdminAccess next) {
        gatekeeper.use(next);
    }

    /** How many requests came without the token or certificate that is asked for. */
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
            // It became so before there was anybody to hear it. Nothing has been read yet.
            channel.pipeline().fireChannelActive();
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("admin: a connection can't be served", e);
            channel.close();
        }
    }

    /** On the thread. Those that could not be made are made again for the next connection: files may be back by then. */
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
            // Once: whoever can connect could fill the log.
            if (!toldOfFault) {
                toldOfFault = true;
                LOG.error("admin: there are no pages; each connection tries again, and is closed", e);
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
                // One request at a time, however many have come in one read.
                .addLast(new FlowControlHandler())
                .addLast(new AdminConnection(ready, addressesOnly, gatekeeper, connections, tls, longestRequest));
    }

    /** Where it is bound. */
    public InetSocketAddress address() {
        return (InetSocketAddress) acceptor.localAddress();
    }

    /** Stops; who is being answered has a second to hear it. */
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
