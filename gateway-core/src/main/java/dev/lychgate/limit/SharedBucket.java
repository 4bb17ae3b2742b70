package dev.lychgate.limit;

import dev.lychgate.config.RateLimitConfig.OnLoss;
import dev.lychgate.limit.BucketStore.Outcome;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;

/**
 * The state that this gateway keeps for one bucket of a rate limit that several gateways share. The bucket belongs to
 * one key of the limit. Thread-safe without locks; a decision allocates nothing unless it needs a call of the store.
 *
 * <p>The gateway <em>leases</em> units from the bucket in the store before requests need them, so that a request takes
 * a unit without waiting. When about half of a lease is used, the gateway requests more units. At most one call of the
 * store is outstanding at a time. Without a lease, requests are admitted on <em>debt</em>, up to a bound. The next call
 * of the store charges the debt. If the bucket in the store is empty, the response states for how long. During this
 * time, the gateway refuses requests without calls of the store.
 *
 * <p>While the store responds, all gateways together admit in t seconds at most {@code burst + rate * t + gateways *
 * (lease + debt)} units, where {@code lease} and {@code debt} are the largest lease and debt of one gateway. The store
 * grants at most {@code burst + rate * t} units for leases, and each admitted unit is either leased or owed.
 *
 * <p>While the store is lost, decisions follow the limit's {@link OnLoss}. The units of these decisions are charged
 * afterwards, up to one burst for all gateways together.
 */
public final class SharedBucket {
    /** The result of {@link #take} if the decision needs a call of the store. */
    static final long UNDECIDED = Question.UNDECIDED;

    /**
     * The time for which a lease should suffice, in nanoseconds. When half of the lease is left, the gateway requests
     * more units.
     */
    private static final long AHEAD = TimeUnit.MILLISECONDS.toNanos(40);
    /**
     * The longest pause between calls of the store while the store grants fewer units than requested, in nanoseconds.
     */
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
    /**
     * The shortest pause between calls of the store while the store grants fewer units than requested, in nanoseconds.
     */
    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(1);
    /**
     * The age of the last response, in nanoseconds, from which the state of a bucket counts as outdated. A gateway that
     * leases no units then requests the state from the store again.
     */
    private static final long STALE = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** The maximum debt of a bucket, in nanoseconds: about a year. */
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

    /** The number of units that are charged in the store and that no request has used yet. */
    private volatile long leased;
    /** The number of units that requests have used on debt, and whose charge the store has not confirmed yet. */
    private volatile long debt;
    /**
     * The number of units that the next call of the store charges in addition to {@link #debt}; a negative number
     * returns units.
     */
    private volatile long owed;
    /** The time of the outstanding call of the store; 0 if no call is outstanding. */
    private volatile long asked;
    /** The time until which the bucket in the store is empty. */
    private volatile long emptyUntil;
    /** The time at which the bucket in the store is full again, as far as it is known. */
    private volatile long fullAt;
    /** The time at which the local bucket, which replaces a lost store, is full again. */
    private volatile long fullAlone;

    private volatile long usedAt;
    /** The units that the store had left when it last responded. */
    private volatile long leftInStore;
    /** If the number of leased units falls to this number, the gateway requests more units. */
    private volatile long low;

    /**
     * The number of leased units after the last response. The estimate of the demand uses this number. Written while
     * {@link #asked} is set.
     */
    private long leasedBefore;
    /** The time of the last response of the store. Written while {@link #asked} is set. */
    private volatile long respondedAt;

    SharedBucket(long key, BucketName name, SharedLimit limit, StorePart part, long now) {
        this.key = key;
        this.name = name;
        this.limit = limit;
        this.part = part;
        this.usedAt = now;
        // The state of the bucket in the store is unknown: the bucket may be empty.
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

    /**
     * Returns the shared bucket of {@code set}. Keys use this bucket if all places of the set are in use by other keys.
     */
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
        // The store is lost, and this bucket has become full since the debt arose, so the debt can be dropped.
        return false;
    }

    /** Returns the unused units of the lease to the store, because another key takes the place of this bucket. */
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
     * Decides about one request.
     *
     * @return the result of {@link Buckets#take}, or {@link #UNDECIDED} if {@link #question} must be sent to the store
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

    /**
     * Decides about a request whose units are charged later. The request is admitted unless the bucket in the store is
     * empty.
     */
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
     * Decides about units without the store, by the limit's {@link OnLoss}.
     *
     * @param units the units to take; with 0, this method only checks whether the bucket is not empty
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

    /**
     * Charges units with the next call of the store, but at most this gateway's share of a burst, because the bucket in
     * the store contains at most one burst.
     */
    private void owe(long units) {
        long most = Math.max(1, limit.burst() / limit.gateways());
        for (long before = owed; units > 0 && before < most; before = owed) {
            if (OWED.compareAndSet(this, before, Math.min(most, before + units))) {
                return;
            }
        }
    }

    // ---- units afterwards

    /** Charges the units of an exchange that has ended. */
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

    /**
     * Calls the store, in order to charge the debt and to request units for the lease. Does nothing if the response to
     * an earlier call is outstanding.
     */
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

    /** Returns the number of units that the gateway requests so that the lease suffices for the present demand. */
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
                // Without this pause, gateways would call the store for each single unit as it becomes available.
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

    /** Returns the time limit for a response of the store, in nanoseconds. */
    public long deadline() {
        return limit.deadline();
    }

    /**
     * Returns a question to the store about one request. Send it once, after {@link RateLimit#take(SharedBucket, long)}
     * has returned {@link #UNDECIDED}.
     *
     * @param onDecided receives the decision
     */
    public Question question(Question.Listener onDecided) {
        return new Question(new ExactDecision(), onDecided);
    }

    /** Decides about one request of a limit whose store decides about each request. */
    private final class ExactDecision implements Question.Decider {
        /** The number of owed units that the question charges. */
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
            // With on-loss: open, the admitted request was not charged, so the granted unit becomes its charge.
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
