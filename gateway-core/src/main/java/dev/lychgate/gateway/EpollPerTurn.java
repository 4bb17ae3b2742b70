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

/**
 * Netty's epoll handler without its one trap. When a channel waits for nothing any more, Netty 4.2.18 takes its socket off
 * the epoll set and forgets that it has: the next thing the channel waits for fails with ENOENT. It comes to that when a
 * peer closes while we have paused reading from it, and what fails then is reading on.
 *
 * <p>Here a channel that waits for nothing waits for errors, which epoll reports anyway; so its socket stays where it is.
 * The channel still hears of a reset, as it would while waiting for something else.
 */
final class KeptEpollRegistrations implements IoHandler {
    private final IoHandler epoll;

    private KeptEpollRegistrations(IoHandler epoll) {
        this.epoll = epoll;
    }

    static IoHandlerFactory newFactory() {
        IoHandlerFactory factory = EpollIoHandler.newFactory();
        return new IoHandlerFactory() {
            @Override
            public IoHandler newHandler(ThreadAwareExecutor executor) {
                return new KeptEpollRegistrations(factory.newHandler(executor));
            }

            @Override
            public boolean isChangingThreadSupported() {
                return factory.isChangingThreadSupported();
            }
        };
    }

    @Override
    public void initialize() {
        epoll.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
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
        return new Kept(epoll.register(handle));
    }

    @Override
    public void wakeup() {
        epoll.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return epoll.isCompatible(handleType);
    }

    private record Kept(IoRegistration registration) implements IoRegistration {
        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // as Netty has it
        public <T> T attachment() {
            return registration.attachment();
        }

        @Override
        public long submit(IoOps ops) {
            return registration.submit(EpollIoOps.NONE.equals(ops) ? EpollIoOps.EPOLLERR : ops);
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
