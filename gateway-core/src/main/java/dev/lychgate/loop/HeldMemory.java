package dev.lychgate.loop;

import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Accounts for the bytes of the {@link MemoryBudget} that the unfinished messages of one event loop hold. The loop
 * takes bytes from the budget in batches, so most changes access no shared state.
 *
 * <p>If the budget is exhausted, this class reclaims bytes in the following order. If there is nothing to reclaim, the
 * new message is refused.
 *
 * <ol>
 *   <li>copies for mirrors
 *   <li>copies for retries
 *   <li>unfinished heads, the oldest first
 *   <li>stalled bodies
 * </ol>
 *
 * <p>A message whose bytes are reclaimed is aborted in a later task, because an abort may run any part of the gateway.
 * Until the abort, the gateway does not read from its connection. The bytes are released immediately, except for the
 * bytes of response heads and of copies for retries, which the later task releases. The rate of aborts is limited,
 * because clients may repeat refused requests immediately.
 */
public final class HeldMemory {
    private static final int BATCH = 64 << 10;
    private static final long EVERY = TimeUnit.MILLISECONDS.toNanos(100);
    /**
     * Time without progress after which a body counts as stalled; equal to the default of {@code
     * upstreams.*.pool.reclaim}.
     */
    private static final long STALLED = TimeUnit.SECONDS.toNanos(2);
    /** If another loop lacks memory, this loop reclaims only heads that have at least this age. */
    private static final long OLD = TimeUnit.MILLISECONDS.toNanos(500);
    /** Maximum number of messages that one sweep reclaims. */
    private static final int AT_ONCE = 64;
    /** Maximum number of messages that are aborted per 100 ms. */
    private static final int ABORTS = 16;
    /**
     * Number of bytes that the complete heads of an event loop may hold without counting against the budget. Usual load
     * stays below this number.
     */
    static final int USUAL_HEADS = 64 << 10;
    /**
     * The limit, in bytes, above which a head is large. Large heads may use at most three quarters of the budget;
     * {@linkplain #VERY_LARGE_HEAD very large} heads may use at most half of the budget.
     */
    private static final int LARGE_HEAD = 4 << 10;

    private static final int VERY_LARGE_HEAD = 16 << 10;

    private final MemoryBudget budget;
    private final EventLoop eventLoop;
    private final DeadlineWheel deadlines;
    private final IntrusiveList<Holding> copies = new IntrusiveList<>();
    private final IntrusiveList<Holding> replays = new IntrusiveList<>();
    private final IntrusiveList<Holding> heads = new IntrusiveList<>();
    private final IntrusiveList<Holding> bodies = new IntrusiveList<>();
    /** Messages with released bytes. They will be aborted as soon as the rate permits. */
    private final IntrusiveList<Holding> aborting = new IntrusiveList<>();

    private int abortsLeft = ABORTS;
    private final Deadline sweep = Deadline.of(this::sweep);
    private boolean sweeping;
    /**
     * Number of bytes that the messages of this loop hold. In addition to these bytes, the loop has taken {@link
     * #credit} bytes from the budget.
     */
    private long held;

    private long credit;
    /** Bytes of the complete heads of open exchanges. */
    private long completeHeads;

    HeldMemory(MemoryBudget budget, EventLoop eventLoop, DeadlineWheel deadlines) {
        this.budget = budget;
        this.eventLoop = eventLoop;
        this.deadlines = deadlines;
    }

    /**
     * Returns a new holding: the account of the bytes that one message holds. The holding begins with 0 bytes.
     *
     * @param owner aborts the message when its bytes are reclaimed
     */
    public Holding holding(Holding.Owner owner) {
        return new Holding(this, owner);
    }

    /**
     * Counts a complete head of a request or a response, which an exchange keeps until it ends. Complete heads are not
     * reclaimed. Large heads are refused earlier than heads of usual size, so that memory remains for heads of usual
     * size.
     *
     * @return false if the head exceeds the budget and is therefore not counted
     */
    public boolean takeHead(int bytes) {
        long more = counted(completeHeads + bytes) - counted(completeHeads);
        // Recent unfinished heads are not reclaimed for a large head, because the large head could still be refused
        // after all recent heads were reclaimed.
        if (more > 0 && !take(more, headCeiling(bytes), bytes > LARGE_HEAD ? OLD : 0, null)) {
            return false;
        }
        completeHeads += bytes;
        return true;
    }

    /** Releases the bytes of a head that {@link #takeHead} counted. */
    public void giveHead(int bytes) {
        long before = counted(completeHeads);
        completeHeads -= bytes;
        give(before - counted(completeHeads));
    }

    /**
     * Returns whether the complete heads hold more bytes than usual. If the result is true, the caller must track
     * stalled request bodies.
     */
    public boolean isCountingHeads() {
        return completeHeads > USUAL_HEADS;
    }

    private static long counted(long heads) {
        return Math.max(0, heads - USUAL_HEADS);
    }

    private long headCeiling(int bytes) {
        if (bytes > VERY_LARGE_HEAD) {
            return budget.most() / 2;
        }
        return bytes > LARGE_HEAD ? budget.most() / 4 * 3 : budget.most();
    }

    IntrusiveList<Holding> list(Holding.Kind kind) {
        sweepSoon();
        return switch (kind) {
            case COPY -> copies;
            case REPLAY -> replays;
            case HEAD, RESPONSE_HEAD -> heads;
            case BODY -> bodies;
        };
    }

    private void sweepSoon() {
        if (!sweeping) {
            sweeping = true;
            deadlines.arm(sweep, EVERY);
        }
    }

    long now() {
        return deadlines.now();
    }

    boolean take(long bytes, Holding.Kind kind, Holding asking) {
        if (kind != Holding.Kind.REPLAY && kind != Holding.Kind.COPY) {
            return take(bytes, ceiling(kind), 0, asking);
        }
        // No message is aborted to make room for a copy, or for a retry that may never happen.
        boolean obtained = obtain(bytes, ceiling(kind));
        if (obtained) {
            held += bytes;
        } else if (kind == Holding.Kind.REPLAY) {
            budget.lacked(now());
        }
        return obtained;
    }

    private boolean take(long bytes, long ceiling, long age, @Nullable Holding asking) {
        while (!obtain(bytes, ceiling)) {
            Holding victim = victim(asking, age);
            if (victim == null) {
                budget.onRefused(now());
                return false;
            }
            reclaim(victim);
        }
        held += bytes;
        return true;
    }

    /**
     * Returns the ceiling for messages of {@code kind}. They may take bytes only while all messages together hold fewer
     * bytes than the ceiling. The ceiling for bodies leaves room for heads, which every request needs.
     */
    private long ceiling(Holding.Kind kind) {
        return switch (kind) {
            case COPY -> budget.most() / 4;
            case REPLAY -> budget.most() / 2;
            case HEAD, RESPONSE_HEAD -> budget.most();
            case BODY -> budget.most() / 4 * 3;
        };
    }

    private boolean obtain(long bytes, long ceiling) {
        long more = bytes - credit;
        // Bytes that the loop took from the budget in advance count as held, so that large heads and bodies do not
        // exceed their ceilings.
        if (more <= 0 && (ceiling == budget.most() || budget.held() <= ceiling)) {
            credit -= bytes;
            return true;
        }
        if (budget.take(more + BATCH, ceiling)) {
            credit = BATCH;
            return true;
        }
        if (budget.take(more, ceiling)) {
            credit = 0;
            return true;
        }
        return false;
    }

    void give(long bytes) {
        held -= bytes;
        credit += bytes;
        // A loop without held bytes keeps no credit, because it may become idle or terminate.
        long kept = held == 0 ? 0 : BATCH;
        if (credit > 2 * kept) {
            budget.giveBack(credit - kept);
            credit = kept;
        }
    }

    /**
     * Returns the holding of a message whose bytes can be reclaimed; null if there is none.
     *
     * @param asking the holding that needs bytes and is not returned
     * @param age minimum age of a head, in nanoseconds
     */
    private @Nullable Holding victim(@Nullable Holding asking, long age) {
        long now = now();
        Holding copy = copies.first();
        if (copy != null && copy != asking) {
            return copy;
        }
        Holding replay = replays.first();
        if (replay != null && replay != asking) {
            return replay;
        }
        Holding head = heads.first();
        if (head == asking && head != null) {
            head = head.after();
        }
        if (head != null && now - head.markedAt >= age) {
            return head;
        }
        return stalledBody(asking, now);
    }

    private @Nullable Holding stalledBody(@Nullable Holding asking, long now) {
        Holding body = bodies.first();
        while (body != null && now - body.markedAt >= STALLED) {
            Holding next = body.after();
            if (body != asking) {
                if (body.owner.isStalled()) {
                    return body;
                }
                body.moved();
            }
            body = next;
        }
        return null;
    }

    private void reclaim(Holding victim) {
        budget.onReclaimed(now());
        abort(victim);
    }

    void abort(Holding message) {
        message.giveUp();
        if (message.isAbortedAtOnce()) {
            eventLoop.execute(message.owner::onReclaim);
            return;
        }
        sweepSoon();
        if (abortsLeft > 0) {
            abortNow(message);
        } else {
            aborting.add(message);
        }
    }

    private void abortNow(Holding message) {
        abortsLeft--;
        eventLoop.execute(message.owner::onReclaim);
    }

    private void abortWaiting() {
        abortsLeft = ABORTS;
        for (Holding next = aborting.first(); next != null && abortsLeft > 0; next = aborting.first()) {
            aborting.remove(next);
            abortNow(next);
        }
    }

    private void sweep() {
        abortWaiting();
        if (budget.isLacking(now()) || Headroom.isScarce()) {
            for (int i = 0; i < AT_ONCE; i++) {
                Holding victim = victim(null, OLD);
                if (victim == null) {
                    break;
                }
                reclaim(victim);
            }
            // Returns the unused bytes of the batch, because other loops may lack them.
            budget.giveBack(credit);
            credit = 0;
        }
        sweeping = abortsLeft < ABORTS || copies.size() + replays.size() + heads.size() + bodies.size() > 0;
        if (sweeping) {
            deadlines.arm(sweep, EVERY);
        }
    }
}
