package dev.lychgate.tls;

import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCounted;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets go of BoringSSL's contexts. Who may still make an engine of one is hard to count (a generation, the exchanges that
 * began with it, pools) and easy to see for the collector: a context goes when its owner is unreachable. Engines hold a
 * reference of their own, so connections outlive it. Any thread.
 */
final class NativeContexts {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final AtomicInteger HELD = new AtomicInteger();

    private NativeContexts() {}

    /** Lets go of {@code context} when {@code owner}, which it must not refer to, has become unreachable. */
    static void tie(Object owner, SslContext context) {
        if (context instanceof ReferenceCounted counted) {
            HELD.incrementAndGet();
            CLEANER.register(owner, () -> {
                counted.release();
                HELD.decrementAndGet();
            });
        }
    }

    /** How many have an owner that has not been collected. */
    static int held() {
        return HELD.get();
    }
}
