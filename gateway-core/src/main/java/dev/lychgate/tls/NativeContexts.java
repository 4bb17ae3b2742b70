package dev.lychgate.tls;

import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCounted;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Releases BoringSSL contexts when their owners become unreachable. The users of a context (a generation, its open
 * exchanges, pools) are hard to count, but the garbage collector tracks them. An engine has its own reference to the
 * native context, so open connections are not affected when the context is released. Any thread.
 */
final class NativeContexts {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final AtomicInteger HELD = new AtomicInteger();

    private NativeContexts() {}

    /** Releases {@code context} once {@code owner} is unreachable. The context must not refer to the owner. */
    static void tie(Object owner, SslContext context) {
        if (context instanceof ReferenceCounted counted) {
            HELD.incrementAndGet();
            CLEANER.register(owner, () -> {
                counted.release();
                HELD.decrementAndGet();
            });
        }
    }

    /** Returns the number of contexts with an owner that is still reachable or not yet collected. */
    static int held() {
        return HELD.get();
    }
}
