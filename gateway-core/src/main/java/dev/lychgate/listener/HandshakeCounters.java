package dev.lychgate.listener;

import dev.lychgate.tls.TlsFault;
import dev.lychgate.tls.TlsSession;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts the outcomes of one listener's TLS handshakes. Written by event loops, read by any thread. */
public final class HandshakeCounters {
    private static final String TLS_1_3 = "TLSv1.3";

    private final LongAdder whole13 = new LongAdder();
    private final LongAdder resumed13 = new LongAdder();
    private final LongAdder whole12 = new LongAdder();
    private final LongAdder resumed12 = new LongAdder();
    private final Map<TlsFault, LongAdder> failures = new EnumMap<>(TlsFault.class);

    HandshakeCounters() {
        for (TlsFault fault : TlsFault.values()) {
            failures.put(fault, new LongAdder());
        }
    }

    void succeeded(TlsSession session) {
        boolean newest = session.protocol().equals(TLS_1_3);
        (session.resumed() ? (newest ? resumed13 : resumed12) : (newest ? whole13 : whole12)).increment();
    }

    void count(TlsFault fault) {
        LongAdder count = failures.get(fault);
        if (count != null) {
            count.increment();
        }
    }

    /**
     * Returns the number of successful handshakes with one version of TLS.
     *
     * @param newest true for TLS 1.3, false for TLS 1.2
     */
    public long done(boolean newest, boolean resumed) {
        return (resumed ? (newest ? resumed13 : resumed12) : (newest ? whole13 : whole12)).sum();
    }

    /** Returns the number of handshakes that failed because of {@code fault}. */
    public long failed(TlsFault fault) {
        LongAdder count = failures.get(fault);
        return count == null ? 0 : count.sum();
    }
}
