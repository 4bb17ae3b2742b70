package dev.lychgate.origin;

import dev.lychgate.config.EndpointConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.error.Side;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Loop;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to origins over sockets. Host names are resolved asynchronously; the connect timeout covers the
 * resolution too.
 */
public final class OriginConnector implements Connector {
    private final Loop loop;
    private final Bootstrap bootstrap;

    /**
     * @param loop where the connections will live
     * @param bootstrap transport, options and resolver; group and handler are set here
     */
    public OriginConnector(Loop loop, Bootstrap bootstrap) {
        this.loop = loop;
        // A write that fails ends writing, not reading: an origin that answers an upload early and closes has said
        // something that its client should hear.
        this.bootstrap = bootstrap.clone(loop.eventLoop()).option(ChannelOption.AUTO_CLOSE, false);
    }

    @Override
    public void connect(EndpointConfig endpoint, long timeout, ConnectionOwner owner, Outcome outcome) {
        assert loop.inLoop();
        new Connect(owner, outcome).begin(endpoint, timeout);
    }

    /** One connect under way. */
    private final class Connect extends Deadline {
        private final ConnectionOwner owner;
        private final Outcome outcome;
        private @Nullable ChannelFuture future;
        private @Nullable OriginConnection connection;
        private boolean timedOut;
        private long began;

        Connect(ConnectionOwner owner, Outcome outcome) {
            this.owner = owner;
            this.outcome = outcome;
        }

        void begin(EndpointConfig endpoint, long timeout) {
            began = loop.nanoTime();
            loop.deadlines().arm(this, timeout);
            ChannelFuture connecting = bootstrap
                    .clone()
                    .handler(new ChannelInitializer<Channel>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            connection = OriginConnection.on(channel, loop, owner);
                        }
                    })
                    .connect(InetSocketAddress.createUnresolved(endpoint.host(), endpoint.port()));
            future = connecting;
            connecting.addListener(done -> onDone(done.cause()));
        }

        private void onDone(@Nullable Throwable cause) {
            loop.deadlines().remove(this);
            OriginConnection connected = connection;
            if (cause == null && connected != null) {
                connected.connectTook(loop.nanoTime() - began);
                outcome.onConnected(connected);
            } else {
                outcome.onConnectFailed(classify(cause, timedOut));
            }
        }

        @Override
        protected void onDeadline() {
            ChannelFuture connecting = future;
            if (connecting != null && !connecting.isDone()) {
                timedOut = true;
                connecting.cancel(false);
                connecting.channel().close();
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
