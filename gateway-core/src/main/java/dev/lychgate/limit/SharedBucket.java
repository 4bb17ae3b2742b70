package dev.lychgate.limit;

import dev.lychgate.config.RateLimitConfig.OnLoss;
import dev.lychgate.limit.BucketStore.Outcome;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;

/**
 * The bucket of one key of a shared limit, as far as this gateway knows it. Thread-safe without locks; a decision allocates nothing
 * unless the store is asked.
 *
 * <p>Units of a <em>lease</em> are charged to the bucket in the store before requests need them, so that a request takes one without
 * waiting. When about half of a lease is used, the gateway asks for more, by one question at a time. A request without a lease is
 * admitted on <em>debt</em>, up to a bound, which the next question charges. When the store has nothing left it responds how long that
 * lasts, and until then the gateway refuses requests without asking.
 *
 * <p>Hence, over any interval of t seconds in which the store responds, all gateways together admit at most {@code burst + rate * t +
 * gateways * (lease + debt)}: each unit is leased or owed when it is used; the store grants at most {@code burst + rate * t} and goes
 * into debt only by what gateways owe.
 *
 * <p>While the store is lost, decisions follow the limit's {@link OnLoss}. Units that are admitted meanwhile are charged afterwards, up
 * to a burst of all gateways together.
 */
public final class SharedBucket {
    /** The store has to be asked before the decision. */
    static final long UNDECIDED = Question.UNDECIDED;

    /** Time of use that a lease is meant to last, in nanoseconds: half of it is left when more is asked for. */
    private static final long AHEAD = TimeUnit.MILLISECONDS.toNanos(40);
    /** Longest pause between questions while the store has less than is wanted. */
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
    /** Shortest pause. */
    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(1);
    /** Age of the last response after which the state of a bucket without leases is asked for. */
    private static final long STALE = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** The most that a bucket can be in debt, in nanoseconds: about a year. */
    private static final double FURTHEST = 3.2e16;

    private static final VarHandle LEASED = field("leased");
    private static final VarHandle DEBT = field("debt");
    private static final VarHandle OWED = field("owed");
    private static final VarHandle ASKED = field("asked");
    private static final VarHandle FULL_ALONE = field("fullAlone");

    private final long key;
    private final BucketName name;
    private final SharedLimit limit;
    private final StorePart part;

    /** Units that are charged in the store and not used yet. */
    private volatile long leased;
    /** Units that requests have used and the store has not confirmed. */
    private volatile long debt;
    /** Units to charge with the next question that are no debt of requests ahead of their lease; negative to return units. */
    private volatile long owed;
    /** When the outstanding question was asked; 0 = none is outstanding. */
    private volatile long asked;
    /** Until then, the store has nothing. */
    private volatile long emptyUntil;
    /** When the bucket in the store is full again, as far as it is known. */
    private volatile long fullAt;
    /** When the bucket that replaces a lost store is full again. */
    private volatile long fullAlone;

    private volatile long usedAt;
    /** The units that the store had left when it last responded. */
    private volatile long leftInStore;
    /** At this number of leased units, more are asked for. */
    private volatile long low;

    /** The lease after the last response, for the estimate of the demand. Written while {@link #asked} is set. */
    private long leasedBefore;
    /** When the store last responded. Written while {@link #asked} is set. */
    private volatile long respondedAt;

    SharedBucket(long key, BucketName name, SharedLimit limit, StorePart part, long now) {
        this.key = key;
        this.name = name;
        this.limit = limit;
        this.part = part;
        this.usedAt = now;
        // Unknown: it may be empty.
        this.fullAt = now + limit.refill();
        this.respondedAt = now - STALE;
        this.low = limit.lease() / 2;
    }

    private static VarHandle field(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(SharedBucket.class, name, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    long key() {
        return key;
    }

    long leased() {
        return leased;
    }

    boolean isLost() {
        return part.isLost();
    }

    /** Returns the bucket that keys of a set share if the set is full. */
    SharedBucket ofSet(int set) {
        return limit.ofSet(set);
    }

    /** Returns whether the bucket has a state that must not be lost. */
    boolean isInUse(long now) {
        if (asked != 0 || now - usedAt < SECOND || now < fullAt || now < fullAlone) {
            return true;
        }
        boolean owes = debt != 0 || owed != 0;
        if (owes && !part.isLost()) {
            sync(now);
            return true;
        }
        // The debts of a lost store are as old as a bucket takes to become full.
        return false;
    }

    /** Another key takes the place: the rest of the lease is returned. */
    void abandon() {
        long rest = (long) LEASED.getAndSet(this, 0L);
        if (rest > 0 && !part.isLost()) {
            limit.ask(name, -rest, 0, NO_OUTCOME);
        }
    }

    private static final Outcome NO_OUTCOME = new Outcome() {
        @Override
        public void granted(long granted, long left, long wait) {}

        @Override
        public void failed() {}
    };

    // ---- decisions

    /**
     * Decides about a request.
     *
     * @return as {@link Buckets#take}; {@link #UNDECIDED} if {@link #question} has to be asked
     */
    long take(long now) {
        if (now - usedAt > SECOND) {
            usedAt = now;
        }
        if (limit.isExact()) {
            return takeExactly(now);
        }
        return limit.isPrepaid() ? takeLeased(now) : takeOnAccount(now);
    }

    private long takeLeased(long now) {
        for (long have = leased; have > 0; have = leased) {
            if (LEASED.compareAndSet(this, have, have - 1)) {
                if (have - 1 <= low && now >= emptyUntil) {
                    sync(now);
                }
                return Math.min(limit.burst(), have - 1 + Math.max(0, leftInStore));
            }
        }
        if (part.isLost()) {
            part.probe(limit.bucket(name), now);
            return decideAlone(1, now);
        }
        if (now < emptyUntil) {
            return now - emptyUntil;
        }
        if (isOverdue(now)) {
            part.lose(now);
            return decideAlone(1, now);
        }
        for (long owing = debt; owing < limit.debt(); owing = debt) {
            if (DEBT.compareAndSet(this, owing, owing + 1)) {
                sync(now);
                return Math.min(limit.burst(), Math.max(0, leftInStore));
            }
        }
        sync(now);
        limit.countUnleased();
        return -MOMENT;
    }

    /** Decides about a request whose units are charged later: it is admitted unless the store has nothing left. */
    private long takeOnAccount(long now) {
        if (part.isLost()) {
            part.probe(limit.bucket(name), now);
            return decideAlone(0, now);
        }
        if (now < emptyUntil) {
            return now - emptyUntil;
        }
        if (isOverdue(now)) {
            part.lose(now);
            return decideAlone(0, now);
        }
        if (owed != 0 || now - respondedAt >= STALE) {
            sync(now);
        }
        return Math.max(0, Math.min(limit.burst(), leftInStore));
    }

    private long takeExactly(long now) {
        if (part.isLost()) {
            part.probe(limit.bucket(name), now);
            return decideAlone(limit.isPrepaid() ? 1 : 0, now);
        }
        return now < emptyUntil ? now - emptyUntil : UNDECIDED;
    }

    /** Returns whether the store has not responded in time. */
    private boolean isOverdue(long now) {
        long since = asked;
        return since != 0 && now - since > limit.deadline();
    }

    /**
     * Decides without the store.
     *
     * @param units 0 only asks whether there are any
     */
    private long decideAlone(long units, long now) {
        limit.countLoss();
        return switch (limit.onLoss()) {
            case OPEN -> 0;
            case CLOSED -> -SECOND;
            case SHARE -> takeShare(units, now);
        };
    }

    private long takeShare(long units, long now) {
        long gateways = limit.gateways();
        double interval = limit.interval() * gateways;
        long cost = nanos(units * interval);
        long most = nanos(Math.max(limit.burst(), gateways) * limit.interval());
        while (true) {
            long full = fullAlone;
            long next = Math.max(full, now) + cost;
            long excess = next - now - most;
            if (excess > 0 || (units == 0 && excess == 0)) {
                return -Math.max(1, excess);
            }
            if (units == 0 || FULL_ALONE.compareAndSet(this, full, next)) {
                owe(units);
                return (long) (-excess / interval);
            }
        }
    }

    private static long nanos(double nanos) {
        return (long) Math.min(FURTHEST, Math.rint(nanos));
    }

    /** Charges units with the next question, but at most this gateway's share of a burst: no more were there at one time. */
    private void owe(long units) {
        long most = Math.max(1, limit.burst() / limit.gateways());
        for (long before = owed; units > 0 && before < most; before = owed) {
            if (OWED.compareAndSet(this, before, Math.min(most, before + units))) {
                return;
            }
        }
    }

    // ---- units afterwards

    /** Takes units of an exchange that has ended. */
    void charge(long units, long now) {
        if (!part.isLost()) {
            OWED.getAndAdd(this, Math.min(units, (long) (FURTHEST / limit.interval())));
            sync(now);
            return;
        }
        if (limit.onLoss() != OnLoss.OPEN) {
            owe(units);
        }
        if (limit.onLoss() == OnLoss.SHARE) {
            long cost = nanos(units * limit.interval() * limit.gateways());
            for (long full = fullAlone; ; full = fullAlone) {
                long next = Math.min(now + (long) FURTHEST, Math.max(full, now) + cost);
                if (FULL_ALONE.compareAndSet(this, full, next)) {
                    return;
                }
            }
        }
    }

    /** Returns the unit of a request that {@link #take} or {@link #question} has admitted. */
    void giveBack(long now) {
        if (part.isLost() && limit.onLoss() != OnLoss.SHARE) {
            return;
        }
        if (!limit.isExact() && leased < limit.lease()) {
            LEASED.getAndAdd(this, 1L);
            return;
        }
        emptyUntil = 0;
        OWED.getAndAdd(this, -1L);
        sync(now);
    }

    // ---- questions

    /** Charges debts and asks for more of the lease, unless a question is outstanding. */
    private void sync(long now) {
        if (asked != 0 || part.isLost() || !ASKED.compareAndSet(this, 0L, now)) {
            return;
        }
        long borrowed = debt;
        long due = (long) OWED.getAndSet(this, 0L);
        long wanted = now < emptyUntil ? 0 : wanted(borrowed, now);
        boolean asksForState = !limit.isPrepaid() && now - respondedAt >= STALE;
        if (borrowed == 0 && due == 0 && wanted == 0 && !asksForState) {
            asked = 0;
            return;
        }
        limit.ask(name, borrowed + due, wanted, new Sync(borrowed, due, wanted));
    }

    /** Returns the units that are missing to a lease for the present demand. */
    private long wanted(long borrowed, long now) {
        if (limit.isExact() || !limit.isPrepaid()) {
            return 0;
        }
        long have = leased;
        double used = Math.max(0, leasedBefore - have) + borrowed;
        double elapsed = Math.max(MOMENT, now - respondedAt);
        long least = (limit.lease() + 3) / 4;
        long target = Math.max(least, (long) Math.min((double) limit.lease(), Math.ceil(used * AHEAD / elapsed)));
        low = target / 2;
        return Math.max(0, target - have);
    }

    private final class Sync implements Outcome {
        private final long borrowed;
        private final long due;
        private final long wanted;

        Sync(long borrowed, long due, long wanted) {
            this.borrowed = borrowed;
            this.due = due;
            this.wanted = wanted;
        }

        @Override
        public void granted(long granted, long left, long wait) {
            long now = limit.now();
            DEBT.getAndAdd(SharedBucket.this, -borrowed);
            leasedBefore = (long) LEASED.getAndAdd(SharedBucket.this, granted) + granted;
            learn(left, now);
            if (granted < wanted) {
                // Gateways that ask for each unit as it becomes available would keep the store busy.
                long pause = Math.max(MOMENT, Math.min(PAUSE, limit.refill() / 2));
                emptyUntil = now + Math.max(wait, pause);
            } else {
                emptyUntil = wait > 0 ? now + wait : 0;
            }
            respondedAt = now;
            asked = 0;
            part.responded(now);
            if (debt > 0 || owed != 0) {
                sync(now);
            }
        }

        @Override
        public void failed() {
            OWED.getAndAdd(SharedBucket.this, due);
            part.lose(limit.now());
            asked = 0;
        }
    }

    private void learn(long left, long now) {
        leftInStore = left;
        fullAt = now + nanos(Math.max(0, limit.burst() - left) * limit.interval());
    }

    /** Returns the nanoseconds that the response to a question may take. */
    public long deadline() {
        return limit.deadline();
    }

    /**
     * Returns the question about one request, to be asked once, after {@link RateLimit#take(SharedBucket, long)} has decided nothing.
     *
     * @param onDecided receives the decision
     */
    public Question question(Question.Listener onDecided) {
        return new Question(new ExactDecision(), onDecided);
    }

    /** Decides about one request of an exact limit. */
    private final class ExactDecision implements Question.Decider {
        /** The owed units that the question charges. */
        private long due;

        @Override
        public void ask(Outcome outcome) {
            due = (long) OWED.getAndSet(SharedBucket.this, 0L);
            limit.ask(name, due, limit.isPrepaid() ? 1 : 0, outcome);
        }

        @Override
        public long onResponse(long granted, long left, long wait) {
            long now = limit.now();
            learn(left, now);
            part.responded(now);
            boolean admitted = limit.isPrepaid() ? granted > 0 : wait == 0;
            if (admitted) {
                return Math.max(0, left);
            }
            emptyUntil = now + Math.max(1, wait);
            return -Math.max(1, wait);
        }

        @Override
        public void onLateResponse(long granted, boolean admitted) {
            long now = limit.now();
            part.responded(now);
            // With on-loss: open, nothing was charged when the request was admitted, so the granted unit is its charge.
            boolean isUsed = admitted && limit.onLoss() == OnLoss.OPEN;
            if (granted > 0 && !isUsed) {
                OWED.getAndAdd(SharedBucket.this, -granted);
                sync(now);
            }
        }

        @Override
        public long onLoss() {
            long now = limit.now();
            part.lose(now);
            return decideAlone(limit.isPrepaid() ? 1 : 0, now);
        }

        @Override
        public void onFailure() {
            OWED.getAndAdd(SharedBucket.this, due);
        }
    }
}
