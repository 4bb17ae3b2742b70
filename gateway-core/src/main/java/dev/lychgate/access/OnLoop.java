package dev.lychgate.access;

/** An exchange that can continue on its event loop. */
public interface OnLoop {
    /** Runs {@code task} on the event loop of the exchange; immediately if this is the current thread. Called on any thread. */
    void onLoop(Runnable task);
}
