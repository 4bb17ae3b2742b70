package dev.lychgate.server.metrics;

import dev.lychgate.gateway.Gateway;
import dev.lychgate.listener.HandshakeCounters;
import dev.lychgate.listener.Listener;
import dev.lychgate.tls.ServerTls;
import dev.lychgate.tls.Site;
import dev.lychgate.tls.TlsFault;
import io.micrometer.core.instrument.MeterRegistry;

/** The meters of TLS with clients. For one thread. */
final class TlsMeters {
    private final MeterRows handshakes;
    private final MeterRows failures;
    private final MeterRows expiry;

    TlsMeters(MeterRegistry registry) {
        handshakes = new MeterRows(
                registry,
                MeterRows.Kind.COUNTER,
                "lychgate.tls.handshakes",
                null,
                "TLS handshakes with clients that were done",
                "listener",
                "protocol",
                "resumed");
        failures = new MeterRows(
                registry,
                MeterRows.Kind.COUNTER,
                "lychgate.tls.handshake.failures",
                null,
                "TLS handshakes with clients that came to nothing, by reason",
                "listener",
                "reason");
        expiry = new MeterRows(
                registry,
                MeterRows.Kind.GAUGE,
                "lychgate.tls.certificate.expiry",
                "seconds",
                "When a certificate ends, in seconds since 1970",
                "listener",
                "certificate");
    }

    void show(Gateway gateway) {
        for (Listener listener : gateway.listeners()) {
            String name = listener.config().name();
            ServerTls tls = gateway.generation().serverTls(name);
            if (tls != null) {
                show(name, listener.counters().handshakes());
                for (Site site : tls.sites()) {
                    expiry.set(site.notAfter().getEpochSecond(), name, site.name());
                }
            }
        }
        expiry.removeUntouched();
    }

    private void show(String listener, HandshakeCounters counters) {
        for (boolean newest : new boolean[] {true, false}) {
            for (boolean resumed : new boolean[] {true, false}) {
                long done = counters.done(newest, resumed);
                handshakes.set(done, listener, newest ? "TLSv1.3" : "TLSv1.2", Boolean.toString(resumed));
            }
        }
        for (TlsFault fault : TlsFault.values()) {
            long failed = counters.failed(fault);
            if (failed > 0) {
                failures.set(failed, listener, fault.label());
            }
        }
    }
}
