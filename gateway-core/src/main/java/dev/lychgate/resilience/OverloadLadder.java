package dev.lychgate.resilience;

import dev.lychgate.error.ErrorKind;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The overload ladder of one upstream. Its current rung is the level of overload. Requests that are shed or that a rate
 * limit refuses cause the ladder to ascend. Without such requests for some time, the ladder descends rung by rung.
 *
 * <ul>
 *   <li>Up: the first refusal by a rate limit leads to {@link Rung#LIMIT}, the first shed request to {@link Rung#SHED}.
 *       Continuous shedding leads to {@link Rung#BROWNOUT}, then to {@link Rung#STALE} and to {@link Rung#PAGE}.
 *       Shedding is continuous while no more than a second passes between two shed requests. Rungs that are not
 *       configured are skipped.
 *   <li>Down: the ladder leaves a rung when no request has been shed for the time {@code hold}. This time starts again
 *       when the ladder reaches a rung. For {@code LIMIT}, refusals by rate limits count instead of shed requests. The
 *       descent is slow, because a lower rung permits more load, which may cause overload again.
 * </ul>
 *
 * <p>A process has one instance per upstream. The state is one immutable value, which is replaced by compare-and-set.
 * No timer is needed, because each method first computes the descent until the given time. Thread-safe; no method
 * blocks.
 */
public final class OverloadLadder {
    /** The rungs from the bottom to the top. */
    public enum Rung {
        /** No request has been shed or refused by a rate limit lately. */
        NORMAL,
        /** A rate limit of a route of the upstream has refused a request. */
        LIMIT,
        /** Requests are shed, beginning with requests of low priority. */
        SHED,
        /** A brown-out is signaled to filters, so that they can reduce the cost of requests. */
        BROWNOUT,
        /** Requests with low priority get stale responses of the cache, and are not forwarded. */
        STALE,
        /** Shed requests get the configured page. */
        PAGE;

        private final String label = name().toLowerCase(Locale.ROOT);

        /** Returns the stable, lower-case name. */
        public String label() {
            return label;
        }
    }

    /**
     * The settings of an overload ladder, in nanoseconds.
     *
     * @param brownout the length of continuous shedding that leads to {@link Rung#BROWNOUT}
     * @param stale the length of continuous shedding that leads to {@link Rung#STALE}; {@link Long#MAX_VALUE} if this
     *     rung is not configured
     * @param page the length of continuous shedding that leads to {@link Rung#PAGE}; {@link Long#MAX_VALUE} if no page
     *     is configured
     * @param hold the time without a shed or refused request after which the ladder leaves a rung
     */
    public record Times(long brownout, long stale, long page, long hold) {
        /** Returns whether an overload ladder with these settings has this rung. */
        public boolean has(Rung rung) {
            return switch (rung) {
                case NORMAL, LIMIT, SHED, BROWNOUT -> true;
                case STALE -> stale != Long.MAX_VALUE;
                case PAGE -> page != Long.MAX_VALUE;
            };
        }

        /**
         * Returns {@code rung} if it is configured in these settings. If it is not, returns the highest configured rung
         * below {@code rung}.
         */
        Rung orBelow(Rung rung) {
            Rung present = rung;
            while (!has(present)) {
                present = present == Rung.PAGE ? Rung.STALE : Rung.BROWNOUT;
            }
            return present;
        }

        /**
         * Returns the rung to which a shed request leads from {@code rung}, if shedding has been continuous for the
         * time {@code length}.
         */
        private Rung above(Rung rung, long length) {
            return switch (rung) {
                case NORMAL, LIMIT -> Rung.SHED;
                case SHED -> length >= brownout ? Rung.BROWNOUT : rung;
                case BROWNOUT -> {
                    Rung next = has(Rung.STALE) ? Rung.STALE : Rung.PAGE;
                    yield length >= (next == Rung.STALE ? stale : page) ? next : rung;
                }
                case STALE -> length >= page ? Rung.PAGE : rung;
                case PAGE -> rung;
            };
        }
    }

    /**
     * The current rung of an overload ladder, and the time and the reason of its last change.
     *
     * @param since the time at which the rung was reached, in nanoseconds of the clock of the callers; 0 if the ladder
     *     has never been used
     * @param reason the error of the latest refused request; null for {@link Rung#NORMAL}
     */
    public record Position(Rung rung, long since, @Nullable ErrorKind reason) {}

    private static final long PAUSE = 1_000_000_000L;
    /**
     * The precision of the times in the state, in nanoseconds. If a request is shed within this time after the previous
     * shed request, the state does not change.
     */
    private static final long TICK = 10_000_000L;

    private static final long NEVER = Long.MIN_VALUE;
    private static final State START = new State(Rung.NORMAL, 0, NEVER, NEVER, NEVER, null);

    /**
     * The state of the overload ladder at one point in time. Immutable.
     *
     * @param run the beginning of the continuous shedding that includes {@code shed}
     * @param shed the time of the latest shed request
     * @param limited the time of the latest refusal by a rate limit
     */
    private record State(
            Rung rung,
            long since,
            long run,
            long shed,
            long limited,
            @Nullable ErrorKind reason) {
        State at(Rung next, long when, @Nullable ErrorKind why) {
            return new State(next, when, run, shed, limited, why);
        }

        /**
         * Returns the state at {@code now}. If no request has been refused for a sufficient time, the result has a
         * lower rung than this state.
         */
        State settled(long now, Times times) {
            State at = this;
            while (at.rung != Rung.NORMAL) {
                long latest = at.rung == Rung.LIMIT ? at.limited : at.shed;
                // If the ladder descended to this rung, the latest refusal may be older than the arrival at the rung.
                long end = (latest != NEVER && latest - at.since > 0 ? latest : at.since) + times.hold;
                if (now - end < 0) {
                    return at;
                }
                at = at.below(end, times);
            }
            return at;
        }

        private State below(long when, Times times) {
            return switch (rung) {
                case PAGE -> at(times.orBelow(Rung.STALE), when, reason);
                case STALE -> at(Rung.BROWNOUT, when, reason);
                case BROWNOUT -> at(Rung.SHED, when, reason);
                case SHED ->
                    limited != NEVER && when - limited < times.hold
                            ? at(Rung.LIMIT, when, ErrorKind.RATE_LIMITED)
                            : at(Rung.NORMAL, when, null);
                case LIMIT, NORMAL -> at(Rung.NORMAL, when, null);
            };
        }

        private State shed(ErrorKind why, long now, Times times) {
            boolean continues = shed != NEVER && now - shed <= PAUSE;
            long begin = continues ? run : now;
            Rung next = times.above(rung, now - begin);
            return new State(next, next == rung ? since : now, begin, later(shed, now), limited, why);
        }

        private State limited(long now) {
            long latest = later(limited, now);
            return rung == Rung.NORMAL
                    ? new State(Rung.LIMIT, now, run, shed, latest, ErrorKind.RATE_LIMITED)
                    : new State(rung, since, run, shed, latest, reason);
        }

        /** Returns the later of the two times, because the clocks of event loops differ slightly. */
        private static long later(long known, long now) {
            return known != NEVER && known - now > 0 ? known : now;
        }
    }

    private final AtomicReference<State> state = new AtomicReference<>(START);
    private final AtomicLongArray reached = new AtomicLongArray(Rung.values().length);
    private final LongAdder shed = new LongAdder();
    private final LongAdder limited = new LongAdder();

    /**
     * Records that a request to the upstream is shed.
     *
     * @param why the error of the request
     * @param now the time, in nanoseconds
     */
    public void shed(ErrorKind why, long now, Times times) {
        shed.increment();
        while (true) {
            State before = current();
            State settled = before.settled(now, times);
            State after = settled.shed(why, now, times);
            boolean changes = after.rung != before.rung || after.reason != before.reason;
            if (!changes && before.shed != NEVER && now - before.shed < TICK) {
                return;
            }
            if (state.compareAndSet(before, after)) {
                count(settled.rung, after.rung);
                return;
            }
        }
    }

    /**
     * Records that a rate limit refuses a request to the upstream.
     *
     * @param now the time, in nanoseconds
     */
    public void limited(long now, Times times) {
        limited.increment();
        while (true) {
            State before = current();
            State settled = before.settled(now, times);
            State after = settled.limited(now);
            if (after.rung == before.rung && before.limited != NEVER && now - before.limited < TICK) {
                return;
            }
            if (state.compareAndSet(before, after)) {
                count(settled.rung, after.rung);
                return;
            }
        }
    }

    private State current() {
        return Objects.requireNonNull(state.get());
    }

    @SuppressWarnings("EnumOrdinal") // an array index in this process, never stored
    private void count(Rung before, Rung after) {
        if (after != before) {
            reached.incrementAndGet(after.ordinal());
        }
    }

    /**
     * Returns the current rung. If the rung is not configured in {@code times}, returns the highest lower rung that is
     * configured there.
     *
     * @param now the time, in nanoseconds
     */
    public Position position(long now, Times times) {
        State settled = current().settled(now, times);
        return new Position(times.orBelow(settled.rung), settled.since, settled.reason);
    }

    /** Returns how often the overload ladder has reached {@code rung} from a lower rung, since the start. */
    @SuppressWarnings("EnumOrdinal") // an array index in this process, never stored
    public long reached(Rung rung) {
        return reached.get(rung.ordinal());
    }

    /** Returns the number of shed requests, since the start. */
    public long shed() {
        return shed.sum();
    }

    /** Returns the number of requests that rate limits refused, since the start. */
    public long limited() {
        return limited.sum();
    }
}
