package dev.lychgate.pool;

/** Who has borrowed a connection. */
public interface LeaseHolder {
    /**
     * Others wait for a connection, and the pool may open no more. If nothing is done with this one because a client keeps
     * it waiting, it is to be given back now. Told on the event loop, outside of any read.
     *
     * @param patience for how long a client may do that, in nanoseconds
     * @return whether it has been given back
     */
    boolean onWanted(long patience);
}
