package dev.lychgate.splice;

import io.netty.util.concurrent.FastThreadLocal;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases empty pipes on one event loop. Idle pipes are kept for reuse, because opening and closing a pipe takes three
 * system calls. Idle pipes are closed when the thread ends. The number of leased pipes is limited, because slow clients
 * occupy pipes and each pipe has two file descriptors. If no pipe is available, bodies are copied.
 */
public final class Pipes {
    /** The maximum number of idle pipes. If it is reached, a released pipe is closed. */
    static final int KEPT = 32;
    /** The maximum number of pipes that one event loop leases concurrently. */
    static final int LENT = 128;
    /** Maximum number of file descriptors for the pipes of one event loop. */
    public static final int DESCRIPTORS = 2 * (LENT + KEPT);

    private static final Logger LOG = LoggerFactory.getLogger(Pipes.class);
    private static final LongAdder OPEN = new LongAdder();

    private static final FastThreadLocal<Pipes> OF_THREAD = new FastThreadLocal<>() {
        @Override
        protected Pipes initialValue() {
            return new Pipes();
        }

        @Override
        protected void onRemoval(Pipes pipes) {
            pipes.close();
        }
    };

    private final ArrayDeque<Pipe> idle = new ArrayDeque<>();
    private int lent;
    private boolean closed;
    private boolean refused;

    Pipes() {}

    static Pipes ofThread() {
        return OF_THREAD.get();
    }

    /** Returns the number of open pipes of this process, including leased and idle pipes. Thread-safe. */
    public static long open() {
        return OPEN.sum();
    }

    /** Leases an empty pipe; null if none is available. */
    @Nullable
    Pipe take() {
        if (lent == LENT) {
            return null;
        }
        Pipe pipe = idle.pollLast();
        if (pipe != null) {
            lent++;
            return pipe;
        }
        try {
            pipe = Pipe.open();
        } catch (IOException e) {
            if (!refused) {
                refused = true;
                LOG.warn("cannot create a pipe for splicing: {}; bodies are copied instead", e.getMessage());
            }
            return null;
        }
        refused = false;
        OPEN.increment();
        lent++;
        return pipe;
    }

    void giveBack(Pipe pipe) {
        if (closed || idle.size() == KEPT) {
            discard(pipe);
        } else {
            lent--;
            idle.addLast(pipe);
        }
    }

    /** Closes a leased pipe that may contain unread bytes. */
    void discard(Pipe pipe) {
        lent--;
        end(pipe);
    }

    private static void end(Pipe pipe) {
        OPEN.decrement();
        pipe.close();
    }

    void close() {
        closed = true;
        for (Pipe pipe = idle.pollLast(); pipe != null; pipe = idle.pollLast()) {
            end(pipe);
        }
    }
}
