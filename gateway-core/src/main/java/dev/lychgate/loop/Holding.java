package dev.lychgate.loop;

/**
 * What one unfinished message holds of the process's {@link MemoryBudget}. The budget may take it back, and the message is
 * aborted then. Belongs to one event loop.
 */
public final class Holding extends IntrusiveList.Entry<Holding> {
    /** What is held, in the order in which it is reclaimed. */
    public enum Kind {
        /** A copy of a body for a retry: only the retry is lost with it. */
        REPLAY,
        /** A head, or a trailer section, that is not complete: the oldest one first, whatever still comes of it. */
        HEAD,
        /** As {@link #HEAD}, of a response: it is aborted at once, because only its end releases the bytes. */
        RESPONSE_HEAD,
        /** A body that is not complete, or not read on: only one that stalls. */
        BODY
    }

    /** The owner of the bytes. */
    public interface Owner {
        /** Whether a body that has not grown for some time stalls by its peer's fault: only then may it be reclaimed. */
        default boolean isStalled() {
            return true;
        }

        /** Releases the bytes, if that takes no more than this object, and reads no more; {@link #onReclaim} follows. */
        default void releaseBytes() {}

        /** The memory is needed for others: aborts the message and releases its bytes. Called once at most, in a task of its own. */
        void onReclaim();
    }

    private static final int PROGRESS = 16;
    private static final int LEAST_PROGRESS = 4096;

    private final HeldMemory memory;
    final Owner owner;

    private Kind kind = Kind.HEAD;
    int bytes;
    /** How much was held when it last moved on, and when that was, in wheel time. */
    private int mark;

    long markedAt;
    private boolean reclaimed;

    Holding(HeldMemory memory, Owner owner) {
        this.memory = memory;
        this.owner = owner;
    }

    /**
     * Changes how much is held.
     *
     * @param now how much it is from here on, in bytes
     * @return false if that exceeds the budget: the earlier bytes are still counted, and the caller may {@link #abort} the message
     */
    public boolean hold(int now, Kind as) {
        if (reclaimed || (now == bytes && as == kind)) {
            return true;
        }
        if (now > bytes && !memory.take(now - bytes, as, this)) {
            return false;
        }
        memory.give(Math.max(0, bytes - now));
        bytes = now;
        place(as);
        return true;
    }

    /** A message before it has ended, or a part of it: what is held from here on is of another one, and young. */
    public void moved() {
        IntrusiveList<Holding> of = list();
        if (of != null && !reclaimed) {
            leaveList();
            mark = bytes;
            markedAt = memory.now();
            of.add(this);
        }
    }

    /** The message is complete: it is not reclaimed any more, and is counted until {@link #release}. */
    public void complete() {
        if (!reclaimed) {
            leaveList();
        }
    }

    /** The peer owes the rest of the body: the message is reclaimed if it stalls, with what {@link HeldMemory#takeHead} counts of it. */
    public void awaitBody() {
        if (!reclaimed && list() == null) {
            kind = Kind.BODY;
            mark = bytes;
            markedAt = memory.now();
            memory.list(Kind.BODY).add(this);
        }
    }

    /** Holds nothing any more, and is not aborted if that has not happened yet. */
    public void release() {
        leaveList();
        memory.give(bytes);
        bytes = 0;
    }

    /** The budget has refused what the message needs: its bytes are released, and it is aborted in its turn. */
    public void abort() {
        if (!reclaimed) {
            memory.abort(this);
        }
    }

    /** Holds nothing any more, whatever the owner asks for until it has aborted the message. */
    void giveUp() {
        release();
        reclaimed = true;
        owner.releaseBytes();
    }

    /** Whether it waits for no turn: its peer sends nothing again. */
    boolean isAbortedAtOnce() {
        return kind == Kind.REPLAY || kind == Kind.RESPONSE_HEAD;
    }

    private void leaveList() {
        IntrusiveList<Holding> of = list();
        if (of != null) {
            of.remove(this);
        }
    }

    private void place(Kind as) {
        IntrusiveList<Holding> wanted = bytes == 0 ? null : memory.list(as);
        boolean moved = as == Kind.BODY && Math.abs(bytes - mark) >= Math.max(LEAST_PROGRESS, mark / PROGRESS);
        if (wanted != list() || moved) {
            leaveList();
            mark = bytes;
            markedAt = memory.now();
            if (wanted != null) {
                wanted.add(this);
            }
        }
        kind = as;
    }
}
