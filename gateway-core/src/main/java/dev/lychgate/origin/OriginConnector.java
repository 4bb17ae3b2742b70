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
import dev.lychgate.tls.TlsFault;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to origins over sockets. Host names are resolved asynchronously; the connect timeout covers the
 * resolution too, and the TLS handshake where there is one.
 */
public final class OriginConnector implements Connector {
    private static final String HTTP_2 = "h2";

    private final Loop loop;
    private final OriginSockets sockets;
    private final HostResolver resolver;
    /** Of the endpoints that are IP addresses: there is nothing to resolve. */
    private final Map<EndpointAddress, InetSocketAddress> literals = new HashMap<>();

    /**
     * @param loop where the connections will live
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
            // No look-up: the text is an address.
            known = new InetSocketAddress(endpoint.host(), endpoint.port());
            literals.put(endpoint, known);
        }
        return known;
    }

    /** One connect under way. */
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
                    fail(failure instanceof CompletionException ? failure.getCause() : failure, false);
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
                // No descriptor left, most likely.
                fail(e, false);
                return;
            }
            channel = opened;
            ChannelFuture registered = loop.eventLoop().register(opened);
            if (registered.cause() != null) {
                opened.unsafe().closeForcibly();
                fail(registered.cause(), false);
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
                    fail(done.cause(), false);
                }
            });
        }

        private OriginConnection plain(Channel opened) {
            OriginConnection plain = OriginConnection.on(opened, loop, owner);
            if (sockets.splices()) {
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
            if (!http2 && to.protocol() == UpstreamProtocol.H2) {
                over = true;
                loop.deadlines().remove(this);
                TlsChannels.cut(opened);
                outcome.onConnectFailed(error(ErrorKind.TLS_FAILED, "the origin does not offer HTTP/2", null));
                return;
            }
            if (http2) {
                succeedMultiplexed(opened, true);
            } else {
                succeed(OriginConnection.on(opened, loop, owner));
            }
        }

        @Override
        public void onHandshakeFailed(TlsFault fault, Throwable cause) {
            if (!over) {
                over = true;
                loop.deadlines().remove(this);
                outcome.onConnectFailed(error(ErrorKind.TLS_FAILED, OriginHandshake.detail(fault), cause));
            }
        }

        @Override
        public void onMemoryLacking() {
            if (!over) {
                over = true;
                loop.deadlines().remove(this);
                outcome.onConnectFailed(GatewayError.local(
                        ErrorKind.OVERLOADED, "no memory is left for the TLS handshake with the origin"));
            }
        }

        private void succeed(OriginConnection connected) {
            if (settle(connected)) {
                outcome.onConnected(connected);
            }
        }

        private void succeedMultiplexed(Channel opened, boolean secure) {
            Http2OriginConnection connected = Http2OriginConnection.on(opened, loop, secure, owner);
            if (settle(connected)) {
                outcome.onMultiplexed(connected);
            }
        }

        /** @return whether the connect is still waited for */
        private boolean settle(PooledConnection connected) {
            if (over) {
                return false;
            }
            over = true;
            loop.deadlines().remove(this);
            connected.use().connectTook(loop.nanoTime() - began);
            return true;
        }

        private void fail(@Nullable Throwable cause, boolean timedOut) {
            if (over) {
                return;
            }
            over = true;
            loop.deadlines().remove(this);
            outcome.onConnectFailed(classify(cause, timedOut));
        }

        @Override
        protected void onDeadline() {
            fail(null, true);
            Channel opened = channel;
            if (opened != null) {
                TlsChannels.cut(opened);
            }
        }
    }

    private static GatewayError classify(@Nullable Throwable cause, boolean timedOut) {
        if (timedOut) {
            return error(ErrorKind.CONNECT_TIMEOUT, "the origin did not accept the connection in time", cause);
        }
        if (cause instanceof ConnectException
                && String.valueOf(cause.getMessage()).contains("refused")) {
            return error(ErrorKind.CONNECT_REFUSED, "the origin refused the connection", cause);
        }
        return error(ErrorKind.CONNECT_FAILED, "the origin could not be reached", cause);
    }

    private static GatewayError error(ErrorKind kind, String detail, @Nullable Throwable cause) {
        return new GatewayError(kind, Side.UPSTREAM, Retry.UNPROCESSED, detail, cause);
    }
}
