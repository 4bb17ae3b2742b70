package dev.lychgate.resilience;

import dev.lychgate.config.BreakerConfig;
import dev.lychgate.error.ErrorKind;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;

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
 * <p>An operator may {@linkplain #force hold} it open or closed. What ends meanwhile is counted, and decides nothing.
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

    /** What an operator wants of the circuit. */
    public enum Hold {
        /** Nothing: it decides for itself. */
        NONE,
        /** Nothing passes, not even a probe. */
        OPEN,
        /** Everything passes, whatever becomes of it. */
        CLOSED
    }

    /**
     * @param number which state this is, counted from 0
     * @param until when an open circuit lets a probe through, or when a probe has lost its place
     * @param openings how often a closed circuit has opened by now
     * @param hold an open circuit that is held lets no probe through, a closed one does not open
     */
    private record State(Position position, long number, long until, long openings, Hold hold) {}

    private final AtomicReference<State> state = new AtomicReference<>(new State(Position.CLOSED, 0, 0, 0, Hold.NONE));
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

    /** What an operator wants of it. */
    public Hold hold() {
        return state().hold();
    }

    /**
     * Holds it open or closed from now on, or lets it decide for itself again: with a probe where it was held open, with
     * all that passed meanwhile forgotten where it was held closed. From any thread.
     *
     * @param now nanoseconds of {@link System#nanoTime()}
     */
    public void force(Hold hold, long now) {
        State from;
        State to;
        do {
            from = state();
            if (from.hold() == hold) {
                return;
            }
            Position position = switch (hold) {
                case OPEN -> Position.OPEN;
                case CLOSED -> Position.CLOSED;
                case NONE -> from.position();
            };
            to = new State(position, from.number() + 1, now, from.openings(), hold);
        } while (!state.compareAndSet(from, to));
    }

    /** How often it has opened, by itself; that it stays open since a probe has failed is no opening. */
    public long openings() {
        return state().openings();
    }

    /** Whether an attempt would be refused now: for choosing another endpoint; takes no place. */
    public boolean isRefusing(long now) {
        State s = state();
        return s.position() != Position.CLOSED && (s.hold() == Hold.OPEN || now - s.until() < 0);
    }

    /** Attempts that ended within the window. */
    public long attempts(long now) {
        return sum(window -> window.all(now));
    }

    /** Attempts that failed within the window. */
    public long failures(long now) {
        return sum(window -> window.some(now));
    }

    private long sum(ToLongFunction<RollingWindow> figure) {
        long sum = 0;
        long number = state().number();
        for (LoopView view : views) {
            sum += view.number == number ? figure.applyAsLong(view.window) : 0;
        }
        return sum;
    }

    private State state() {
        return Objects.requireNonNull(state.get());
    }

    private boolean become(State from, Position position, long until) {
        boolean opens = from.position() == Position.CLOSED && position == Position.OPEN;
        return state.compareAndSet(
                from, new State(position, from.number() + 1, until, from.openings() + (opens ? 1 : 0), Hold.NONE));
    }

    private void judge(State closed, long now) {
        long all = attempts(now);
        if (closed.hold() == Hold.NONE && all >= minimum && failures(now) >= all * errorShare) {
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
            if (s.hold() == Hold.OPEN) {
                return Guard.refusal(open);
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
