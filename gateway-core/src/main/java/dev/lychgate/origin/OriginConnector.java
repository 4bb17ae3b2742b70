package dev.lychgate.origin;

import dev.lychgate.config.DnsConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.error.Side;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Loop;
import dev.lychgate.proxyprotocol.ProxyAnnouncement;
import dev.lychgate.tls.TlsChannels;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to origins over sockets. Host names are resolved asynchronously; the connect timeout includes
 * resolution and the TLS handshake.
 */
public final class OriginConnector implements Connector {
    private static final String HTTP_2 = "h2";

    private final Loop loop;
    private final OriginSockets sockets;
    private final HostResolver resolver;
    /** Addresses of endpoints that are IP addresses and need no resolution. */
    private final Map<EndpointAddress, InetSocketAddress> literals = new HashMap<>();

    /**
     * Creates a connector for one event loop.
     *
     * @param loop event loop of the connections
     * @param resolver resolves host names on that loop
     */
    public OriginConnector(Loop loop, OriginSockets sockets, HostResolver resolver) {
        this.loop = loop;
        this.sockets = sockets;
        this.resolver = resolver;
    }

    @Override
    public void connect(Destination to, long timeout, ConnectionOwner owner, Outcome outcome) {
        assert loop.inLoop();
        new Connect(to, owner, outcome).begin(timeout);
    }

    private InetSocketAddress literal(EndpointAddress endpoint) {
        InetSocketAddress known = literals.get(endpoint);
        if (known == null) {
            // Performs no lookup: the host is an IP address.
            known = new InetSocketAddress(endpoint.host(), endpoint.port());
            literals.put(endpoint, known);
        }
        return known;
    }

    /** A connect in progress. */
    private final class Connect extends Deadline implements OriginHandshake.Ending {
        private final Destination to;
        private final ConnectionOwner owner;
        private final Outcome outcome;
        private @Nullable Channel channel;
        private boolean over;
        private long began;

        Connect(Destination to, ConnectionOwner owner, Outcome outcome) {
            this.to = to;
            this.owner = owner;
            this.outcome = outcome;
        }

        void begin(long timeout) {
            EndpointAddress endpoint = to.address();
            began = loop.nanoTime();
            loop.deadlines().arm(this, timeout);
            DnsConfig dns = to.dns();
            if (dns == null) {
                connectTo(literal(endpoint));
                return;
            }
            resolver.resolve(endpoint.host(), dns).whenComplete((ip, failure) -> {
                if (failure != null) {
                    fail(classify(failure instanceof CompletionException ? failure.getCause() : failure));
                } else if (!over) {
                    connectTo(new InetSocketAddress(ip, endpoint.port()));
                }
            });
        }

        private void connectTo(InetSocketAddress address) {
            Channel opened;
            try {
                opened = sockets.open(loop, address);
            } catch (RuntimeException e) {
                // Typically, the process has no file descriptors left.
                fail(classify(e));
                return;
            }
            channel = opened;
            ChannelFuture registered = loop.eventLoop().register(opened);
            if (registered.cause() != null) {
                opened.unsafe().closeForcibly();
                fail(classify(registered.cause()));
                return;
            }
            ProxyAnnouncement announcement = to.announcement();
            if (announcement != null) {
                Announcer.prepare(opened, announcement);
            }
            boolean secure = to.tls() != null;
            if (secure) {
                OriginHandshake.prepare(opened, loop, to, this);
            }
            OriginConnection plain = secure || to.protocol() == UpstreamProtocol.H2 ? null : plain(opened);
            opened.connect(address).addListener(done -> {
                if (done.isSuccess()) {
                    if (announcement != null) {
                        Announcer.onConnected(opened);
                    }
                    if (!secure) {
                        if (plain == null) {
                            succeedMultiplexed(opened, false);
                        } else {
                            succeed(plain);
                        }
                    }
                } else {
                    opened.close();
                    fail(classify(done.cause()));
                }
            });
        }

        private OriginConnection plain(Channel opened) {
            OriginConnection plain = OriginConnection.on(opened, loop, owner);
            if (sockets.splices().getAsBoolean()) {
                plain.maySplice();
            }
            return plain;
        }

        @Override
        public void onHandshake(@Nullable String protocol) {
            Channel opened = channel;
            if (over || opened == null) {
                return;
            }
            boolean http2 = HTTP_2.equals(protocol);
            if (http2) {
                succeedMultiplexed(opened, true);
            } else if (to.protocol() == UpstreamProtocol.H2) {
                TlsChannels.cut(opened);
                fail(error(ErrorKind.TLS_FAILED, "the origin does not offer HTTP/2", null));
            } else {
                succeed(OriginConnection.on(opened, loop, owner));
            }
        }

        @Override
        public void onHandshakeFailed(GatewayError error) {
            fail(error);
        }

        private void succeed(OriginConnection connected) {
            if (settle()) {
                connected.use().connectTook(loop.nanoTime() - began);
                outcome.onConnected(connected);
            }
        }

        private void succeedMultiplexed(Channel opened, boolean secure) {
            Http2OriginConnection connected = Http2OriginConnection.on(opened, loop, secure, owner);
            if (settle()) {
                connected.use().connectTook(loop.nanoTime() - began);
                outcome.onMultiplexed(connected);
            }
        }

        private void fail(GatewayError error) {
            if (settle()) {
                outcome.onConnectFailed(error);
            }
        }

        /**
         * Ends the connect in progress.
         *
         * @return whether the connect was still in progress
         */
        private boolean settle() {
            boolean awaited = !over;
            over = true;
            loop.deadlines().remove(this);
            return awaited;
        }

        @Override
        protected void onDeadline() {
            fail(error(ErrorKind.CONNECT_TIMEOUT, "the origin did not accept the connection in time", null));
            Channel opened = channel;
            if (opened != null) {
                TlsChannels.cut(opened);
            }
        }
    }

    private static GatewayError classify(@Nullable Throwable cause) {
        if (cause instanceof ConnectException
                && String.valueOf(cause.getMessage()).contains("refused")) {
            return error(ErrorKind.CONNECT_REFUSED, "the origin refused the connection", cause);
        }
        return error(ErrorKind.CONNECT_FAILED, "the origin could not be reached", cause);
    }

    private static GatewayError error(ErrorKind kind, String detail, @Nullable Throwable cause) {
        return new GatewayError(kind, Side.UPSTREAM, Retry.UNPROCESSED, detail, cause);
    }

    /** Sends the PROXY protocol header on a new connection, before TLS or a request. */
    private static final class Announcer extends ChannelInboundHandlerAdapter {
        private final ProxyAnnouncement announcement;

        private Announcer(ProxyAnnouncement announcement) {
            this.announcement = announcement;
        }

        /**
         * Prepares {@code channel} to send {@code announcement} first. The channel is not yet connected and has no
         * handler yet.
         */
        static void prepare(Channel channel, ProxyAnnouncement announcement) {
            channel.pipeline().addLast(new Announcer(announcement));
        }

        /**
         * Sends the header as soon as {@code channel} is connected, because other data may be written even before
         * channelActive.
         */
        static void onConnected(Channel channel) {
            ChannelHandlerContext ctx = channel.pipeline().context(Announcer.class);
            if (ctx != null) {
                say(ctx, ((Announcer) ctx.handler()).announcement);
            }
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            say(ctx, announcement);
            ctx.fireChannelActive();
        }

        private static void say(ChannelHandlerContext ctx, ProxyAnnouncement announcement) {
            ctx.writeAndFlush(announcement.write(ctx.alloc()), ctx.voidPromise());
            ctx.pipeline().remove(ctx.handler());
        }
    }
}
