package dev.lychgate.gateway;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
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
        return new Interest(handle, epoll.register(handle));
    }

    @Override
    public void wakeup() {
        epoll.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return epoll.isCompatible(handleType);
    }

    private final class Interest implements IoRegistration {
        private final IoHandle handle;
        private final IoRegistration registration;
        private @Nullable IoOps told;
        private @Nullable IoOps wanted;
        private boolean listed;

        Interest(IoHandle handle, IoRegistration registration) {
            this.handle = handle;
            this.registration = registration;
        }

        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // signature of Netty's method
        public <T> T attachment() {
            return registration.attachment();
        }

        @Override
        public long submit(IoOps ops) {
            if (!loop.isExecutorThread(Thread.currentThread())) {
                loop.execute(() -> submit(ops));
                return 0;
            }
            wanted = EpollIoOps.NONE.equals(ops) ? EpollIoOps.EPOLLERR : ops;
            if (!listed && !wanted.equals(told)) {
                listed = true;
                changed.addLast(this);
            }
            return 0;
        }

        void tell() {
            listed = false;
            IoOps now = Objects.requireNonNull(wanted);
            if (now.equals(told) || !registration.isValid()) {
                return;
            }
            try {
                registration.submit(now);
                told = now;
            } catch (RuntimeException e) {
                // The most likely cause is that the kernel lacks memory. If epoll did not watch the socket, the
                // connection would never make progress.
                LOG.warn("epoll refused to watch a socket, so the gateway closes the connection", e);
                close();
            }
        }

        private void close() {
            try {
                handle.close();
            } catch (Exception e) {
                LOG.debug("closing a socket failed after epoll refused to watch it", e);
            }
        }

        @Override
        public boolean isValid() {
            return registration.isValid();
        }

        @Override
        public boolean cancel() {
            return registration.cancel();
        }
    }
}
