package dev.lychgate.access;

/** An exchange that can continue on its event loop. */
public interface OnLoop {
    /**
     * Runs {@code task} on the event loop of the exchange. If the caller already runs on this event loop, runs the task
     * immediately. Called on any thread.
     */
    void onLoop(Runnable task);
}
