package dev.lychgate.server.shadow;

/**
 * The thread of a shadow. {@link RunRecorder#isHere} recognizes this thread, so that the log lines of the thread are
 * dropped.
 */
final class ShadowThread extends Thread {
    @SuppressWarnings("ThreadPriorityCheck") // gives precedence to requests; nothing relies on the priority
    ShadowThread(Runnable shadow) {
        super(shadow, "lychgate-shadow");
        setDaemon(true);
        setPriority(MIN_PRIORITY);
    }
}
