package dev.lychgate.resilience;

import dev.lychgate.config.BreakerConfig;
import dev.lychgate.error.ErrorKind;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;

/**
 * Stops attempts to a failing origin, and probes the origin later. All event loops share the circuit breaker of an
 * upstream or endpoint.
 *
 * <ul>
 *   <li><em>closed</em>: all attempts pass. Each event loop counts its ended attempts in its own time window. After
 *       each failure, the counts of all windows are added. If there were enough attempts and the share of failed
 *       attempts has reached the configured share, the circuit opens.
 *   <li><em>open</em>: no attempt passes until the open time ends. Then the next attempt is admitted as the probe.
 *   <li><em>half open</em>: the probe is in progress. If it succeeds, the circuit closes and the windows are reset. If
 *       it fails, the circuit opens again. If it gives no evidence, for example because its client disconnected, the
 *       next attempt becomes the probe. If the probe takes longer than the open time, the next attempt replaces it.
 * </ul>
 *
 * <p>The state is one immutable value behind one reference. A closed circuit costs one volatile read and two plain
 * writes per attempt. The number of the state is the ticket of each attempt that begins in this state. If the state has
 * changed before the attempt ends, its outcome is not counted.
 *
 * <p>An operator may {@linkplain #force force} the circuit open or closed. Attempts are then counted, but do not change
 * the state.
 *
 * <p>Any thread may read the state. Each event loop acquires permits through its own guard, which {@link #onLoop}
 * returns.
 */
public final class CircuitBreaker {
    /** The positions of the circuit. */
    public enum Position {
        CLOSED,
        OPEN,
        HALF_OPEN
    }

    /** The state that an operator has forced. */
    public enum Hold {
        /** No state is forced: the outcomes of attempts determine the state. */
        NONE,
        /** Refuses all attempts, even probes. */
        OPEN,
        /** Admits all attempts, regardless of their outcome. */
        CLOSED
    }

    /**
     * The state of the circuit at one point in time. Immutable.
     *
     * @param number sequence number of this state, from 0
     * @param until the time at which an open circuit admits a probe, or at which another attempt may replace the probe
     * @param openings how often a closed circuit has opened
     * @param hold the state that an operator has forced. If the circuit is forced open, no probe is admitted; if the
     *     circuit is forced closed, it does not open
     */
    private record State(Position position, long number, long until, long openings, Hold hold) {}

    private final AtomicReference<State> state = new AtomicReference<>(new State(Position.CLOSED, 0, 0, 0, Hold.NONE));
    private final LoopView[] views;
    private final long open;
    private final int minimum;
    private final double errorShare;

    /**
     * Creates a closed circuit.
     *
     * @param loops number of event loops
     */
    public CircuitBreaker(BreakerConfig config, int loops) {
        this.open = config.open().toNanos();
        this.minimum = config.minimum();
        this.errorShare = config.errorShare().fraction();
        this.views = new LoopView[loops];
        for (int i = 0; i < loops; i++) {
            views[i] = new LoopView(config.window().toNanos());
        }
    }

    /**
     * Returns the guard of one event loop.
     *
     * @param loop the loop's index
     */
    public Guard onLoop(int loop) {
        return views[loop];
    }

    public Position position() {
        return state().position();
    }

    /** Returns the state that an operator has forced. */
    public Hold hold() {
        return state().hold();
    }

    /**
     * Forces the circuit open or closed, or ends a forced state. After the end of a forced open state, the circuit
     * admits a probe. After the end of a forced closed state, the windows are reset. Any thread may call this method.
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

    /**
     * Returns how often the circuit has opened because of failed attempts. Openings after a failed probe or by an
     * operator are not counted.
     */
    public long openings() {
        return state().openings();
    }

    /** Returns whether an attempt would be refused now. Acquires no permit. Used for the selection of an endpoint. */
    public boolean isRefusing(long now) {
        State s = state();
        return s.position() != Position.CLOSED && (s.hold() == Hold.OPEN || now - s.until() < 0);
    }

    /** Returns the number of attempts that ended within the current window of time, on all event loops. */
    public long attempts(long now) {
        return sum(window -> window.all(now));
    }

    /** Returns the number of attempts that failed within the current window of time, on all event loops. */
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
        /** The number of the state to which the window belongs. Written by the event loop alone. */
        private volatile long number;

        LoopView(long nanos) {
            this.window = new RollingWindow(nanos);
        }

        @Override
        public long tryAcquire(long now, LimitShare share) {
            State s = state();
            if (s.position() == Position.CLOSED) {
                return s.number();
            }
            if (s.hold() == Hold.OPEN) {
                return Guard.refusal(open);
            }
            long wait = s.until() - now;
            // The first thread that changes the state gets the probe. Other attempts are refused until the probe ends
            // or is replaced.
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
                // The window contains attempts from before the circuit opened.
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
