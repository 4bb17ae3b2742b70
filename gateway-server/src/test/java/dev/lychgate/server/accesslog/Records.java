package dev.lychgate.server.accesslog;

import dev.lychgate.cache.CacheOutcome;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.http.HttpVersion;
import dev.lychgate.tls.TlsSession;
import dev.lychgate.tracing.TraceContext;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** Records to format, without exchanges behind them. */
final class Records {
    /** 2026-11-03T04:05:06.789Z, the arrival of the request. */
    static final long BEGAN = 1_793_678_706_789L;

    private Records() {}

    static AccessRecord of(AccessRecord.@Nullable Request request, int status, @Nullable GatewayError error) {
        return of(request, status, error, null);
    }

    /** @param fallback the reason for the route's fallback */
    static AccessRecord of(
            AccessRecord.@Nullable Request request,
            int status,
            @Nullable GatewayError error,
            @Nullable String fallback) {
        return of(request, status, error, fallback, null);
    }

    private static final TraceContext TRACE =
            new TraceContext(0x0af7651916cd43ddL, 0x8448eb211c80319cL, 0, 1, true, "");

    /**
     * As above.
     *
     * @param tls the TLS state of the client
     */
    static AccessRecord of(
            AccessRecord.@Nullable Request request,
            int status,
            @Nullable GatewayError error,
            @Nullable String fallback,
            @Nullable TlsSession tls) {
        AccessRecord.Times times = new AccessRecord.Times(12_345_600, 2_000_499, 1_999_500, 11_000_000);
        return new AccessRecord(
                BEGAN + 12,
                "id-1",
                "main",
                client(),
                null,
                request,
                status,
                5,
                1234,
                "api",
                "origins",
                "127.0.0.1:9000",
                1,
                0,
                fallback,
                times,
                error,
                null,
                null,
                null,
                7,
                tls,
                null,
                null,
                1);
    }

    /** Like {@code record}, with these fields, in a trace, sampled at a tenth. */
    static AccessRecord sampled(AccessRecord record, LoggedFields.@Nullable Copied fields) {
        return new AccessRecord(
                record.endedAt(),
                record.id(),
                record.listener(),
                record.client(),
                record.subject(),
                record.request(),
                record.status(),
                record.requestBytes(),
                record.responseBytes(),
                record.route(),
                record.upstream(),
                record.endpoint(),
                record.attempts(),
                3,
                record.fallback(),
                record.times(),
                record.error(),
                record.tunnelEnd(),
                record.cache(),
                record.fault(),
                record.generation(),
                record.tls(),
                TRACE,
                fields,
                0.1);
    }

    /** Like {@code record}, of an authenticated sender. */
    static AccessRecord by(AccessRecord record, String subject) {
        return new AccessRecord(
                record.endedAt(),
                record.id(),
                record.listener(),
                record.client(),
                subject,
                record.request(),
                record.status(),
                record.requestBytes(),
                record.responseBytes(),
                record.route(),
                record.upstream(),
                record.endpoint(),
                record.attempts(),
                record.calls(),
                record.fallback(),
                record.times(),
                record.error(),
                record.tunnelEnd(),
                record.cache(),
                record.fault(),
                record.generation(),
                record.tls(),
                record.trace(),
                record.fields(),
                record.sample());
    }

    /** Like {@code record}, of a WebSocket. */
    static AccessRecord ended(AccessRecord record, TunnelEnd end) {
        return new AccessRecord(
                record.endedAt(),
                record.id(),
                record.listener(),
                record.client(),
                record.subject(),
                record.request(),
                record.status(),
                record.requestBytes(),
                record.responseBytes(),
                record.route(),
                record.upstream(),
                record.endpoint(),
                record.attempts(),
                record.calls(),
                record.fallback(),
                record.times(),
                record.error(),
                end,
                record.cache(),
                record.fault(),
                record.generation(),
                record.tls(),
                record.trace(),
                record.fields(),
                record.sample());
    }

    /** Like {@code record}, with an injected fault. */
    static AccessRecord hit(AccessRecord record, String fault) {
        return new AccessRecord(
                record.endedAt(),
                record.id(),
                record.listener(),
                record.client(),
                record.subject(),
                record.request(),
                record.status(),
                record.requestBytes(),
                record.responseBytes(),
                record.route(),
                record.upstream(),
                record.endpoint(),
                record.attempts(),
                record.calls(),
                record.fallback(),
                record.times(),
                record.error(),
                record.tunnelEnd(),
                record.cache(),
                fault,
                record.generation(),
                record.tls(),
                record.trace(),
                record.fields(),
                record.sample());
    }

    /** Like {@code record}, on a route with a cache. */
    static AccessRecord cached(AccessRecord record, CacheOutcome outcome) {
        return new AccessRecord(
                record.endedAt(),
                record.id(),
                record.listener(),
                record.client(),
                record.subject(),
                record.request(),
                record.status(),
                record.requestBytes(),
                record.responseBytes(),
                record.route(),
                record.upstream(),
                record.endpoint(),
                record.attempts(),
                record.calls(),
                record.fallback(),
                record.times(),
                record.error(),
                record.tunnelEnd(),
                outcome,
                record.fault(),
                record.generation(),
                record.tls(),
                record.trace(),
                record.fields(),
                record.sample());
    }

    /** The record of a request with a malformed start line. */
    static AccessRecord malformed(GatewayError error) {
        AccessRecord.Times times = new AccessRecord.Times(99_000, -1, -1, -1);
        return new AccessRecord(
                BEGAN, "id-2", "main", client(), null, null, 400, 0, 90, null, null, null, 0, 0, null, times, error,
                null, null, null, 7, null, null, null, 1);
    }

    static AccessRecord.Request get(String path, @Nullable String query) {
        return new AccessRecord.Request(
                "GET", "example.com", path, query, HttpVersion.HTTP_1_1, "curl/8.5", "https://a.example/");
    }

    private static InetAddress client() {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, 0, 9});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
