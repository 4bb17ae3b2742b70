package dev.lychgate.gateway;

import io.netty.channel.Channel;
import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Epoll handler that registers changes of interest once per iteration of the event loop, just before the loop polls its
 * sockets. Changes that cancel each other out within an iteration cost no system call. Such changes are frequent: an
 * origin connection changes its interest three times between connecting and the end of its request, and a client
 * connection changes its interest twice while it is accepted.
 *
 * <p>Connections are edge-triggered: epoll reports each arrival of bytes once. Netty's sockets are level-triggered,
 * and the kernel polls a level-triggered socket a second time after each event. Netty stops reading when a read does
 * not fill its buffer. The socket is then empty, and the arrival of further bytes is the next event. After a read that
 * fills its buffer, the handler registers the interest again, so that epoll reports the bytes that may be left.
 *
 * <p>The handler avoids a bug of Netty 4.2.18. If a channel has no interest, Netty removes its socket from the epoll
 * set but still treats the socket as registered, so the next change of interest fails with ENOENT. The bug occurs if a
 * peer closes a connection while the gateway pauses reading: the gateway can't resume reading from this connection.
 * This handler replaces an empty interest with EPOLLERR, which epoll reports in any case, so that the socket stays in
 * the set. The channel is still notified of a reset.
 */
final class EpollPerTurn implements IoHandler {
    private static final Logger LOG = LoggerFactory.getLogger(EpollPerTurn.class);

    private final IoHandler epoll;
    private final ThreadAwareExecutor loop;
    private final ArrayDeque<Interest> changed = new ArrayDeque<>();

    private EpollPerTurn(IoHandler epoll, ThreadAwareExecutor loop) {
        this.epoll = epoll;
        this.loop = loop;
    }

    static IoHandlerFactory newFactory() {
        IoHandlerFactory factory = EpollIoHandler.newFactory();
        return executor -> new EpollPerTurn(factory.newHandler(executor), executor);
    }

    @Override
    public void initialize() {
        epoll.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
        for (Interest each = changed.pollFirst(); each != null; each = changed.pollFirst()) {
            each.tell();
        }
        return epoll.run(context);
    }

    @Override
    public void prepareToDestroy() {
        epoll.prepareToDestroy();
    }

    @Override
    public void destroy() {
        epoll.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        Interest interest = new Interest((EpollIoHandle) handle);
        interest.registration = epoll.register(interest);
        return interest;
    }

    @Override
    public void wakeup() {
        epoll.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return epoll.isCompatible(handleType);
    }

    /** The socket of a channel. Netty's handler sees it as the channel, and the channel sees it as the registration. */
    private final class Interest implements IoRegistration, EpollIoHandle {
        private final EpollIoHandle channel;
        private @Nullable IoRegistration registration;
        private @Nullable EpollIoOps told;
        private @Nullable EpollIoOps wanted;
        private boolean listed;
        /** Whether this is a connection, and not a listening or a datagram socket. */
        private boolean connection;
        /** Whether the interest must be registered even if it has not changed. */
        private boolean again;

        Interest(EpollIoHandle channel) {
            this.channel = channel;
        }

        private IoRegistration registration() {
            return Objects.requireNonNull(registration);
        }

        // ---- called by the channel

        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // signature of Netty's method
        public <T> T attachment() {
            return registration().attachment();
        }

        @Override
        public long submit(IoOps ops) {
            if (!loop.isExecutorThread(Thread.currentThread())) {
                loop.execute(() -> submit(ops));
                return 0;
            }
            EpollIoOps now = EpollIoOps.NONE.equals(ops) ? EpollIoOps.EPOLLERR : (EpollIoOps) ops;
            // Only connections have a peer that can end its output.
            connection = connection || now.contains(EpollIoOps.EPOLLRDHUP);
            wanted = connection ? now.with(EpollIoOps.EPOLLET) : now;
            if (!wanted.equals(told)) {
                list();
            }
            return 0;
        }

        private void list() {
            if (!listed) {
                listed = true;
                changed.addLast(this);
            }
        }

        void tell() {
            listed = false;
            EpollIoOps now = Objects.requireNonNull(wanted);
            if ((now.equals(told) && !again) || !isValid()) {
                return;
            }
            again = false;
            try {
                registration().submit(now);
                told = now;
            } catch (RuntimeException e) {
                // The most likely cause is that the kernel lacks memory. If epoll did not watch the socket, the
                // connection would never make progress.
                LOG.warn("epoll refused to watch a socket, so the gateway closes the connection", e);
                close();
            }
        }

        @Override
        public boolean isValid() {
            return registration().isValid();
        }

        @Override
        public boolean cancel() {
            return registration().cancel();
        }

        // ---- called by Netty's handler

        @Override
        public FileDescriptor fd() {
            return channel.fd();
        }

        @Override
        public void handle(IoRegistration ignored, IoEvent event) {
            if (told == null) {
                // An event of the same poll for a closed socket that had the same descriptor.
                return;
            }
            try {
                channel.handle(this, event);
                if (connection && leftBytes()) {
                    again = true;
                    list();
                }
            } catch (RuntimeException e) {
                // Netty would drop the events of all other sockets that it has not handled yet, and an edge-triggered
                // socket does not repeat them.
                LOG.error("internal error of a channel; the channel is closed", e);
                close();
            }
        }

        /** Returns whether the last read filled its buffer, so that the socket may contain further bytes. */
        private boolean leftBytes() {
            var reads = ((Channel.Unsafe) channel).recvBufAllocHandle();
            int count = reads.lastBytesRead();
            return count > 0 && count == reads.attemptedBytesRead();
        }

        @Override
        public void registered() {
            channel.registered();
        }

        @Override
        public void unregistered() {
            channel.unregistered();
        }

        @Override
        public void close() {
            try {
                channel.close();
            } catch (Exception e) {
                LOG.debug("closing a socket failed", e);
            }
        }
    }
}
