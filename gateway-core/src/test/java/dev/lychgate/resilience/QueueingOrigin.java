package dev.lychgate.resilience;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * An origin with a number of workers and a duration per request; requests that arrive while all are busy wait in an unbounded
 * queue.
 */
final class QueueingOrigin {
    private final Simulation time;
    private final int workers;
    private final Queue<Runnable> line = new ArrayDeque<>();
    private int busy;
    long service;

    QueueingOrigin(Simulation time, int workers, long service) {
        this.time = time;
        this.workers = workers;
        this.service = service;
    }

    void ask(Runnable answered) {
        line.add(answered);
        next();
    }

    private void next() {
        if (busy == workers || line.isEmpty()) {
            return;
        }
        busy++;
        Runnable answered = line.remove();
        time.after(service, () -> {
            busy--;
            answered.run();
            next();
        });
    }

    int inLine() {
        return line.size();
    }
}
