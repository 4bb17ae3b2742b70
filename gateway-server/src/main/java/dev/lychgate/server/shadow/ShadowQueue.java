package dev.lychgate.server.shadow;

import dev.lychgate.generation.RequestCopies;
import dev.lychgate.http.RequestHead;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.route.Ingress;
import dev.lychgate.tls.TlsSession;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jctools.queues.atomic.MpmcAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A queue of request copies between the event loops and the thread that compares decisions. It is bounded and free of
 * locks. A copy is dropped if the queue is full, or if more than half of the memory budget is in use. Therefore, copies
 * never cause the rejection or abort of a message.
 */
final class ShadowQueue implements RequestCopies {
    static final int MOST = 1024;
    /** The approximate number of bytes that a header field needs in addition to its characters. */
    private static final int FIELD = 64;

    private static final int HEAD = 256;

    private final MpmcAtomicArrayQueue<ShadowedRequest> queue = new MpmcAtomicArrayQueue<>(MOST);
    private final AtomicInteger offering = new AtomicInteger();
    private final double share;
    private final MemoryBudget memory;
    private final ShadowTally tally;
    private volatile boolean open;

    /** @param share the share of the offered requests that is copied, from 0 to 1 */
    ShadowQueue(double share, MemoryBudget memory, ShadowTally tally) {
        this.share = share;
        this.memory = memory;
        this.tally = tally;
    }

    /** Starts to accept copies. */
    void open() {
        open = true;
    }

    @Override
    public void offer(
            RequestHead head, Ingress ingress, String requestId, @Nullable TlsSession tls, RandomGenerator random) {
        if (!open || random.nextDouble() >= share) {
            return;
        }
        offering.incrementAndGet();
        try {
            if (open && !add(head, ingress, requestId, tls)) {
                tally.ended(ShadowTally.Result.DROPPED);
            }
        } catch (RuntimeException | Error e) {
            // A failure such as a lack of memory must not end the exchange of the client.
            tally.ended(ShadowTally.Result.DROPPED);
        } finally {
            offering.decrementAndGet();
        }
    }

    private boolean add(RequestHead head, Ingress ingress, String id, @Nullable TlsSession tls) {
        int bytes = HEAD + head.size() + FIELD * head.headers().size();
        if (queue.size() >= MOST || !memory.take(bytes, memory.most() / 2)) {
            return false;
        }
        boolean added = false;
        try {
            added = queue.offer(new ShadowedRequest(
                    head.copy(), ingress.clientAddress(), ingress.listener(), ingress.isSecure(head), id, tls, bytes));
            return added;
        } finally {
            if (!added) {
                memory.giveBack(bytes);
            }
        }
    }

    /** Returns the next copy; null if there is none. The caller releases the memory of the copy by {@link #done}. */
    @Nullable
    ShadowedRequest poll() {
        return queue.poll();
    }

    void done(ShadowedRequest request) {
        memory.giveBack(request.bytes());
    }

    /**
     * Stops accepting copies, and drops the waiting copies. Must not run on an event loop; may be called repeatedly.
     */
    void close() {
        open = false;
        while (offering.get() > 0) {
            // An event loop is adding a copy, which takes microseconds.
            Thread.onSpinWait();
        }
        for (ShadowedRequest left = queue.poll(); left != null; left = queue.poll()) {
            done(left);
        }
    }
}
