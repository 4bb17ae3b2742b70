package dev.lychgate.origin;

/** A connection that carries several exchanges at once, each on a stream of its own. Used on its event loop. */
public interface MultiplexedConnection extends PooledConnection {
    /** Returns how many streams there may be at once, as far as is known; at least 1. */
    int capacity();

    /** Whether this connection lends no further stream, ever. */
    boolean isEnding();

    /** Lends no further stream. */
    void lendNoMore();

    /** Runs {@code task} whenever there may be room for more streams than before. */
    void whenRoom(Runnable task);
}
