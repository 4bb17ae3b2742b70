package dev.lychgate.redis;

import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The thread that owns all connections of a store. Event loops pass their queries to this thread, because Lettuce
 * acquires locks. It is not a Netty thread, so it may block.
 */
final class Threads extends DefaultEventLoopGroupProvider implements Executor {
    /** The type name is qualified, because the superclass has a type with the same simple name. */
    static final io.lettuce.core.resource.ThreadFactoryProvider NAMED = pool -> task -> {
        Thread thread = new Thread(task, "lychgate-redis");
        thread.setDaemon(true);
        return thread;
    };

    private volatile @Nullable EventExecutor loop;

    Threads() {
        super(1, NAMED);
    }

    @Override
    protected <T extends EventLoopGroup> EventExecutorGroup doCreateEventLoopGroup(
            Class<T> type, int threads, io.lettuce.core.resource.ThreadFactoryProvider factory) {
        EventExecutorGroup group = super.doCreateEventLoopGroup(type, threads, factory);
        loop = group.next();
        return group;
    }

    /**
     * Passes a task to the thread.
     *
     * @throws RejectedExecutionException if the thread does not exist yet, or has ended
     */
    @Override
    public void execute(Runnable task) {
        EventExecutor one = loop;
        if (one == null) {
            throw new RejectedExecutionException("not connected yet");
        }
        one.execute(task);
    }
}
