package dev.lychgate.gateway;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The second for which a connection without requests stays open after the gateway has started to drain. On a busy
 * machine, a request may come too late for it; only then is its scenario played again, with a new gateway.
 */
final class IdleGrace {
    private static final Duration LENGTH = Duration.ofSeconds(1);
    private static final int ATTEMPTS = 5;

    private boolean draining;
    private long since;

    private IdleGrace() {}

    /** A scenario that starts a gateway, lets it drain, and sends a request within the grace. */
    @FunctionalInterface
    interface Scenario {
        void play(IdleGrace grace) throws Exception;
    }

    /** Plays {@code scenario}. Throws its failure if it has failed within the grace, or several times. */
    static void play(Scenario scenario) throws Exception {
        for (int attempt = 1; ; attempt++) {
            IdleGrace grace = new IdleGrace();
            try {
                scenario.play(grace);
                return;
            } catch (Exception | AssertionError e) {
                if (attempt == ATTEMPTS || !grace.isOver()) {
                    throw e;
                }
            }
        }
    }

    /** Starts to drain the gateway. */
    CompletableFuture<Integer> drain(Running gateway) {
        draining = true;
        since = System.nanoTime();
        return CompletableFuture.supplyAsync(() -> gateway.drain(Duration.ofSeconds(10)));
    }

    private boolean isOver() {
        return draining && System.nanoTime() - since >= LENGTH.toNanos();
    }
}
