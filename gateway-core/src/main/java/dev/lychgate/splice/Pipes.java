package dev.lychgate.splice;

import io.netty.util.concurrent.FastThreadLocal;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pipes of one event loop, kept for the next piece when they are empty: to make one and to close it takes three system
 * calls. Those at hand are closed when the thread ends. There is a limit to how many are lent: a client that takes its answer
 * slowly holds some, each of two descriptors, and what finds none is copied.
 */
public final class Pipes {
    /** As many as wait at hand; what is given back beyond them is closed. */
    static final int KEPT = 32;
    /** As many as one event loop lends at once. */
    static final int LENT = 128;
    /** How many file descriptors the pipes of one event loop take at most. */
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

    /** Those of the calling thread. */
    static Pipes ofThread() {
        return OF_THREAD.get();
    }

    /** How many pipes this process has open, lent ones and idle ones; any thread may ask. */
    public static long open() {
        return OPEN.sum();
    }

    /** Lends an empty pipe; null if none is to be had. */
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
                LOG.warn("no pipe to be had, bodies are copied instead: {}", e.getMessage());
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

    /** Takes a pipe back that may have something in it that nobody wants any more. */
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
