package dev.lychgate.gateway;

import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.exchange.call.MirrorEnd;
import dev.lychgate.exchange.call.MirrorOutcome;
import dev.lychgate.exchange.call.MirrorPair;
import dev.lychgate.exchange.state.Phase;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Keeps what became of every exchange, in the order in which they ended. */
final class Outcomes implements ExchangeObserver {
    // Told on event loops, which must not wait for a lock: of the queues that can be waited at this one has none.
    private final LinkedTransferQueue<Outcome> ended = new LinkedTransferQueue<>();

    private final LinkedTransferQueue<Copy> copies = new LinkedTransferQueue<>();

    @Override
    public void onClosed(Exchange exchange) {
        if (exchange.record().phase() != Phase.CLOSED) {
            throw new IllegalStateException("told in phase " + exchange.record().phase());
        }
        ended.add(Outcome.of(exchange));
    }

    @Override
    public void onMirrored(MirrorEnd copy) {
        MirrorPair pair = copy.take();
        copies.add(new Copy(copy.route(), copy.upstream(), copy.outcome(), pair));
        if (pair != null) {
            pair.close();
        }
    }

    /**
     * The end of a copy.
     *
     * @param pair closed; null if there is nothing to compare
     */
    record Copy(
            String route,
            String upstream,
            MirrorOutcome outcome,
            @Nullable MirrorPair pair) {}

    Copy nextCopy() throws InterruptedException {
        Copy next = copies.poll(10, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no copy ended within 10 s");
        }
        return next;
    }

    boolean hasMoreCopies() {
        return !copies.isEmpty();
    }

    Outcome next() throws InterruptedException {
        Outcome next = ended.poll(10, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no exchange ended within 10 s");
        }
        return next;
    }

    boolean hasMore() {
        return !ended.isEmpty();
    }
}
