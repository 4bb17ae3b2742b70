package dev.lychgate.loop;

/**
 * Bytes of the process's {@link MemoryBudget} that one unfinished message holds. If the bytes are reclaimed, the
 * message is aborted. A holding belongs to one event loop.
 */
public final class Holding extends IntrusiveList.Entry<Holding> {
    /** Kinds of held bytes, in the order in which they are reclaimed. */
    public enum Kind {
        /**
         * A copy that the gateway makes for its own use, such as for a mirror. No other message is aborted to make room
         * for such a copy.
         */
        COPY,
        /** A copy of a body for a retry. If the copy is reclaimed, the exchange continues without a retry. */
        REPLAY,
        /** An incomplete head or trailer section. The oldest head is reclaimed first, even if it makes progress. */
        HEAD,
        /**
         * An incomplete response head. Its message is aborted immediately, because no other action releases the bytes.
         */
        RESPONSE_HEAD,
        /** A body that is incomplete or not being read. The body is reclaimed if it stalls. */
        BODY
    }

    /** The owner of the bytes. */
    public interface Owner {
        /** Returns whether the peer has stalled the body. Only a stalled body may be reclaimed. */
        default boolean isStalled() {
            return true;
        }

        /** Stops reading, and releases the bytes if no other object uses them. A call of {@link #onReclaim} follows. */
        default void releaseBytes() {}

        /** Aborts the message and releases its bytes. Called at most once, in a separate task. */
        void onReclaim();
    }

    private static final int PROGRESS = 16;
    private static final int LEAST_PROGRESS = 4096;

    private final HeldMemory memory;
    final Owner owner;

    private Kind kind = Kind.HEAD;
    int bytes;
    /**
     * Number of bytes that were held when the message last made progress. {@link #markedAt} is the time of that
     * progress, on the clock of the deadline wheel.
     */
    private int mark;

    long markedAt;
    private boolean reclaimed;

    Holding(HeldMemory memory, Owner owner) {
        this.memory = memory;
        this.owner = owner;
    }

    /**
     * Changes the number of held bytes.
     *
     * @param now new number of bytes
     * @return false if the new number exceeds the budget. In this case, the earlier bytes remain counted, and the
     *     caller may {@link #abort} the message
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

    /**
     * Marks progress: a message or a part of it has ended. Bytes that are added later belong to the next message or
     * part.
     */
    public void moved() {
        IntrusiveList<Holding> of = list();
        if (of != null && !reclaimed) {
            leaveList();
            mark = bytes;
            markedAt = memory.now();
            of.add(this);
        }
    }

    /**
     * Marks the message as complete. The bytes of a complete message are not reclaimed, and count until {@link
     * #release}.
     */
    public void complete() {
        if (!reclaimed) {
            leaveList();
        }
    }

    /**
     * Records that the rest of a body is expected. If the body stalls, the message is aborted, which also releases the
     * bytes of its {@linkplain HeldMemory#takeHead head}.
     */
    public void awaitBody() {
        if (!reclaimed && list() == null) {
            kind = Kind.BODY;
            mark = bytes;
            markedAt = memory.now();
            memory.list(Kind.BODY).add(this);
        }
    }

    /** Releases all bytes and cancels a pending abort. */
    public void release() {
        leaveList();
        memory.give(bytes);
        bytes = 0;
    }

    /** Releases the bytes of a message that the budget refused, and aborts the message at the limited rate. */
    public void abort() {
        if (!reclaimed) {
            memory.abort(this);
        }
    }

    /** Releases the bytes. From now on, changes by the owner are ignored, because the message will be aborted. */
    void giveUp() {
        release();
        reclaimed = true;
        owner.releaseBytes();
    }

    /**
     * Returns whether the rate limit does not apply to the abort. The limit exists because clients may repeat a refused
     * request. Copies and response heads are exempt: the loss of a copy costs at most a retry, and an origin has sent
     * the response head.
     */
    boolean isAbortedAtOnce() {
        return kind == Kind.COPY || kind == Kind.REPLAY || kind == Kind.RESPONSE_HEAD;
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
