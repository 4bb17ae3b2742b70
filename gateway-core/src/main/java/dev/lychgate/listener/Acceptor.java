package dev.lychgate.listener;

import dev.lychgate.config.SocketOptions;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One listening socket of a listener. If its accepting event loop stalls, the socket is closed and bound again, on a
 * loop that makes progress. A socket with a fixed loop ({@code reuse-port}) is bound again on its loop after the loop
 * recovers. NIO cannot close a socket from outside its loop, so an NIO socket stays on the stalled loop.
 *
 * <p>Used by the thread that starts the listener, then by the event-loop monitor. Any thread may call
 * {@link #channel()}.
 */
final class Acceptor {
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);

    private final ServerBootstrap bootstrap;
    private final InetSocketAddress address;
    private final Consumer<Channel> opened;
    private volatile Channel channel;
    private volatile State state = State.LISTENING;
    /** Whether another process has bound the socket, and keeps it open. */
    private final boolean foreign;
    /** Whether another process uses the socket, too. */
    private volatile boolean shared;
    /** Whether other sockets have replaced this socket. */
    private volatile boolean retired;

    private enum State {
        LISTENING,
        /** The event loop stalled; the socket is closed and must be bound again. */
        OFF,
        /** The socket is being bound again. */
        BINDING
    }

    /**
     * Creates an acceptor for a bound socket.
     *
     * @param bootstrap creates the later sockets; it has already created {@code channel}
     * @param channel the bound socket
     * @param shared whether another process uses the socket, too
     * @param opened receives each later channel, on the loop of that channel
     */
    Acceptor(ServerBootstrap bootstrap, Channel channel, boolean shared, Consumer<Channel> opened) {
        this.foreign = channel instanceof EpollServerSocketChannel socket
                && InheritedSockets.isForeign(socket.fd().intValue());
        this.shared = shared;
        this.bootstrap = bootstrap;
        this.channel = channel;
        this.address = (InetSocketAddress) channel.localAddress();
        this.opened = opened;
    }

    Channel channel() {
        return channel;
    }

    InetSocketAddress address() {
        return address;
    }

    /**
     * Changes the length of the queue and the receive buffer of the socket. The queue of an NIO socket keeps its length.
     */
    void adapt(SocketOptions changed) {
        Channel adapted = channel;
        if (changed.receiveBuffer().bytes() > 0) {
            adapted.config()
                    .setOption(ChannelOption.SO_RCVBUF, changed.receiveBuffer().asInt());
            bootstrap.option(ChannelOption.SO_RCVBUF, changed.receiveBuffer().asInt());
        }
        if (!foreign && adapted instanceof UnixChannel unix && unix.fd() instanceof Socket socket && adapted.isOpen()) {
            try {
                socket.listen(changed.backlog());
            } catch (IOException e) {
                LOG.warn(
                        "the backlog of listening socket {} cannot be changed: {}; the previous backlog stays in force",
                        address,
                        e.toString());
            }
        }
        bootstrap.option(ChannelOption.SO_BACKLOG, changed.backlog());
    }

    /**
     * Prepares the socket for another process, see {@link Listener#share}. Returns the descriptor of the socket; null
     * if the transport has no descriptors, or if the socket is being moved away from a stalled event loop.
     */
    @Nullable
    Integer share() {
        shared = true;
        return state == State.LISTENING && channel instanceof EpollServerSocketChannel socket && socket.isOpen()
                ? Integer.valueOf(socket.fd().intValue())
                : null;
    }

    /** Closes the socket for good. Waits, but not for a stalled event loop. */
    void retire(Duration longest) {
        retired = true;
        channel.close().awaitUninterruptibly(longest.toMillis());
    }

    /** Ends the effect of {@link #share}, see {@link Listener#keep}. */
    void keep() {
        shared = foreign;
    }

    /**
     * Moves the socket from a stalled loop to a loop that makes progress. Does not block. The caller must call this
     * method repeatedly while a loop is stalled, because closing the socket and binding it may fail.
     *
     * @param stalled returns whether a loop is stalled while another loop makes progress
     */
    void settle(Predicate<EventLoop> stalled) {
        if (state == State.LISTENING && !shared && stalled.test(channel.eventLoop()) && stopListening()) {
            state = State.OFF;
        }
        if (state == State.OFF
                && !retired
                && !(bootstrap.config().group() instanceof EventLoop own && stalled.test(own))) {
            state = State.BINDING;
            bootstrap.bind(address).addListener((ChannelFuture bound) -> onBound(bound));
        }
    }

    /**
     * Shuts the socket down from outside its stalled loop. Connections in the backlog are reset, and their clients may
     * retry. The channel closes when the loop recovers.
     */
    private boolean stopListening() {
        if (!(channel instanceof UnixChannel unix) || !(unix.fd() instanceof Socket socket)) {
            return false;
        }
        try {
            socket.shutdown(true, false);
        } catch (IOException e) {
            LOG.error(
                    "listening socket {} cannot be moved away from its stalled event loop: {}; new connections wait, and"
                            + " the gateway tries again",
                    address,
                    e.toString());
            return false;
        }
        channel.close();
        return true;
    }

    private void onBound(ChannelFuture bound) {
        if (bound.isSuccess() && retired) {
            bound.channel().close();
        } else if (bound.isSuccess()) {
            channel = bound.channel();
            state = State.LISTENING;
            opened.accept(channel);
        } else {
            LOG.error(
                    "listening socket {} cannot be bound again after its event loop has stalled: {}; it accepts no"
                            + " connections, and the gateway tries again",
                    address,
                    BindFailure.reason(bound.cause()));
            state = State.OFF;
        }
    }
}
