package dev.lychgate.tls;

import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCounted;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Releases BoringSSL contexts when their owners become unreachable. Generations, open exchanges and connection pools
 * use a context. Counting these users is hard, so the garbage collector determines when no user is left. The TLS engine
 * of a connection has its own reference to the native context, so the release does not affect open connections.
 * Thread-safe.
 */
final class NativeContexts {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final AtomicInteger HELD = new AtomicInteger();

    private NativeContexts() {}

    /** Releases {@code context} after {@code owner} has become unreachable. The context must not refer to the owner. */
    static void tie(Object owner, SslContext context) {
        if (context instanceof ReferenceCounted counted) {
            HELD.incrementAndGet();
            CLEANER.register(owner, () -> {
                counted.release();
                HELD.decrementAndGet();
            });
        }
    }

    /** Returns the number of contexts that have not been released yet. */
    static int held() {
        return HELD.get();
    }
}
