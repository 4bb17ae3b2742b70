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
 * Netty's epoll handler, which hears of what channels wait for once a turn: when the loop is about to look at its sockets.
 * Until then a channel may change its mind for nothing. A connection to an origin changes it three times from being connected
 * to having sent its request, a client's twice while it is accepted, and each would be a system call.
 *
 * <p>Nor does it fall into Netty's one trap. When a channel waits for nothing any more, Netty 4.2.18 takes its socket off
 * the epoll set and forgets that it has: the next thing the channel waits for fails with ENOENT. It comes to that when a
 * peer closes while we have paused reading from it, and what fails then is reading on. Here a channel that waits for nothing
 * waits for errors, which epoll reports anyway; so its socket stays where it is. The channel still hears of a reset, as it
 * would while waiting for something else.
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

    /** What a channel waits for. */
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
        @SuppressWarnings("TypeParameterUnusedInFormals") // as Netty has it
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
                // The kernel has no room for it, most likely: a connection that would never be heard of again.
                LOG.warn("a socket can't be watched, and is closed", e);
                close();
            }
        }

        private void close() {
            try {
                handle.close();
            } catch (Exception e) {
                LOG.debug("nor can it be closed", e);
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
