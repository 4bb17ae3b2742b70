package dev.lychgate.resilience;

import dev.lychgate.config.BreakerConfig;
import dev.lychgate.error.ErrorKind;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Leaves an origin alone that only fails. One for an upstream, or for each endpoint, in the whole process:
 *
 * <ul>
 *   <li><em>closed</em>: everything passes. Each loop counts what ended in a window of its own; with each failure the
 *       windows of all loops are added up, and if there is enough in them and enough of that has failed, the circuit opens.
 *   <li><em>open</em>: nothing passes, until its time is over. Then the next one to ask is let through as the probe.
 *   <li><em>half open</em>: the probe is under way, and nothing else passes. Its success closes the circuit and forgets the
 *       past, its failure opens it again; if it says nothing (its client left), the next one to ask is the next probe. A
 *       probe that does not end gives up its place after as long as the circuit stays open.
 * </ul>
 *
 * <p>The state is one immutable value behind one reference: a closed circuit costs one volatile read and two plain
 * writes per attempt. Each state has a number, which is its attempts' ticket: what began in an earlier state
 * and ends in this one is not counted.
 *
 * <p>Any thread may look at it; each loop passes through its own {@link #onLoop}.
 */
public final class CircuitBreaker {
    /** What the circuit does. */
    public enum Position {
        CLOSED,
        OPEN,
        HALF_OPEN
    }

    /**
     * @param number which state this is, counted from 0
     * @param until when an open circuit lets a probe through, or when a probe has lost its place
     * @param openings how often a closed circuit has opened by now
     */
    private record State(Position position, long number, long until, long openings) {}

    private final AtomicReference<State> state = new AtomicReference<>(new State(Position.CLOSED, 0, 0, 0));
    private final LoopView[] views;
    private final long open;
    private final int minimum;
    private final double errorShare;

    /** @param loops how many event loops there are */
    public CircuitBreaker(BreakerConfig config, int loops) {
        this.open = config.open().toNanos();
        this.minimum = config.minimum();
        this.errorShare = config.errorShare().fraction();
        this.views = new LoopView[loops];
        for (int i = 0; i < loops; i++) {
            views[i] = new LoopView(config.window().toNanos());
        }
    }

    /** The guard of one event loop. @param loop the loop's index */
    public Guard onLoop(int loop) {
        return views[loop];
    }

    public Position position() {
        return state().position();
    }

    /** How often it has opened; that it stays open since a probe has failed is no opening. */
    public long openings() {
        return state().openings();
    }

    /** Whether an attempt would be refused now: for choosing another endpoint; takes no place. */
    public boolean isRefusing(long now) {
        State s = state();
        return s.position() != Position.CLOSED && now - s.until() < 0;
    }

    /** Attempts that ended within the window. */
    public long attempts(long now) {
        long sum = 0;
        long number = state().number();
        for (LoopView view : views) {
            sum += view.number == number ? view.window.all(now) : 0;
        }
        return sum;
    }

    /** Attempts that failed within the window. */
    public long failures(long now) {
        long sum = 0;
        long number = state().number();
        for (LoopView view : views) {
            sum += view.number == number ? view.window.some(now) : 0;
        }
        return sum;
    }

    private State state() {
        return Objects.requireNonNull(state.get());
    }

    private boolean become(State from, Position position, long until) {
        boolean opens = from.position() == Position.CLOSED && position == Position.OPEN;
        return state.compareAndSet(
                from, new State(position, from.number() + 1, until, from.openings() + (opens ? 1 : 0)));
    }

    private void judge(State closed, long now) {
        long all = attempts(now);
        if (all >= minimum && failures(now) >= all * errorShare) {
            become(closed, Position.OPEN, now + open);
        }
    }

    private final class LoopView implements Guard {
        private final RollingWindow window;
        /** The state that the window belongs to; written by the loop alone. */
        private volatile long number;

        LoopView(long nanos) {
            this.window = new RollingWindow(nanos);
        }

        @Override
        public long tryAcquire(long now) {
            State s = state();
            if (s.position() == Position.CLOSED) {
                return s.number();
            }
            long wait = s.until() - now;
            // Whoever changes the state first has the place; the others are refused as long as the probe may take.
            if (wait <= 0 && become(s, Position.HALF_OPEN, now + open)) {
                return s.number() + 1;
            }
            return Guard.refusal(wait > 0 ? wait : open);
        }

        @Override
        public void release(long ticket, Ending ending, long latency, long now) {
            State s = state();
            if (s.number() != ticket) {
                return;
            }
            if (s.position() == Position.HALF_OPEN) {
                switch (ending) {
                    case SUCCESS -> become(s, Position.CLOSED, 0);
                    case FAILURE, TIMEOUT -> become(s, Position.OPEN, now + open);
                    case IGNORED -> become(s, Position.OPEN, now);
                }
            } else if (ending != Ending.IGNORED) {
                count(s, ending.isFailure(), now);
            }
        }

        private void count(State closed, boolean failed, long now) {
            if (number != closed.number()) {
                // The window is of a time before the circuit was open.
                window.clear();
                number = closed.number();
            }
            window.add(1, failed ? 1 : 0, now);
            if (failed) {
                judge(closed, now);
            }
        }

        @Override
        public ErrorKind kind() {
            return ErrorKind.CIRCUIT_OPEN;
        }
    }
}
