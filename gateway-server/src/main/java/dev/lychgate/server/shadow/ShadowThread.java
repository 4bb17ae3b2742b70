package dev.lychgate.server.shadow;

/** The thread of a shadow. Its log lines are not those of requests. */
final class ShadowThread extends Thread {
    @SuppressWarnings("ThreadPriorityCheck") // a courtesy to requests; nothing relies on it
    ShadowThread(Runnable shadow) {
        super(shadow, "lychgate-shadow");
        setDaemon(true);
        setPriority(MIN_PRIORITY);
    }
}
