package dev.lychgate.server.accesslog;

import dev.lychgate.config.RouteAction;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.exchange.state.Timeline;
import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.http.HttpVersion;
import dev.lychgate.http.Redaction;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.route.Route;
import dev.lychgate.tls.TlsSession;
import dev.lychgate.tracing.TraceContext;
import dev.lychgate.upstream.Endpoint;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * What one line of the access log is made from: values alone, nothing that keeps the exchange or its buffers alive. Times
 * are nanoseconds, -1 where not known; texts are as they came, not yet safe to write.
 *
 * @param endedAt when the exchange ended, in milliseconds since 1970
 * @param request the request; null if what came was not HTTP
 * @param attempts how often it was sent or meant to be sent
 * @param tunnelEnd why it ended, if it was a WebSocket
 * @param fallback what the route's fallback was for; null if there was none
 * @param tls what TLS says of the client; null if it was not spoken
 * @param trace what it is in a distributed trace; null if it is in none
 * @param fields header fields that are wanted; null if none are
 * @param sample the share that it was chosen from, 1 if it was not by chance
 */
record AccessRecord(
        long endedAt,
        String id,
        String listener,
        InetAddress client,
        @Nullable Request request,
        int status,
        long requestBytes,
        long responseBytes,
        @Nullable String route,
        @Nullable String upstream,
        @Nullable String endpoint,
        int attempts,
        @Nullable String fallback,
        Times times,
        @Nullable GatewayError error,
        @Nullable TunnelEnd tunnelEnd,
        long generation,
        @Nullable TlsSession tls,
        @Nullable TraceContext trace,
        LoggedFields.@Nullable Copied fields,
        double sample) {
    /** A request as its client sent it, long texts cut: a queue full of them must fit into memory. */
    record Request(
            String method,
            String host,
            String path,
            @Nullable String query,
            HttpVersion version,
            @Nullable String userAgent,
            @Nullable String referer) {
        static Request of(RequestHead head) {
            return new Request(
                    cut(head.receivedMethod().name(), 64),
                    cut(head.host(), 256),
                    cut(head.rawPath(), 2048),
                    cutOrNull(head.query(), 2048),
                    head.version(),
                    cutOrNull(head.headers().get(HttpHeaderNames.USER_AGENT), 512),
                    cutOrNull(head.headers().get(HttpHeaderNames.REFERER), 1024));
        }

        String protocol() {
            return version.text();
        }

        /** The agent as it may be told; null if there was none. */
        @Nullable
        String userAgent(Redaction redaction) {
            return userAgent == null ? null : redaction.field(HttpHeaderNames.USER_AGENT, userAgent);
        }

        /** The referer as it may be told: a query of another page may hold secrets, too. Null if there was none. */
        @Nullable
        String referer(Redaction redaction) {
            return referer == null ? null : redaction.field(HttpHeaderNames.REFERER, referer);
        }

        /** The host as it may be told. */
        String host(Redaction redaction) {
            return redaction.hides(HttpHeaderNames.HOST) ? Redaction.MASK : host;
        }

        private static @Nullable String cutOrNull(@Nullable String text, int longest) {
            return text == null ? null : cut(text, longest);
        }
    }

    static String cut(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest) + "...";
    }

    /** How long what took. */
    record Times(long total, long poolWait, long connect, long firstByte) {}

    /**
     * Copies what is needed of an exchange that is over; on its event loop.
     *
     * @param now in milliseconds since 1970
     * @param wanted which header fields
     * @param sample the share that it was chosen from
     */
    static AccessRecord of(Exchange exchange, long now, LoggedFields wanted, double sample) {
        ExchangeRecord record = exchange.record();
        Timeline timeline = record.timeline();
        RequestHead head = record.requestHead();
        Route route = record.route();
        Endpoint endpoint = record.endpoint();
        ResponseHead answer = record.responseHead();
        return new AccessRecord(
                now,
                record.requestId(),
                record.downstream().listener(),
                record.client().getAddress(),
                head == null ? null : Request.of(head),
                record.status(),
                record.requestBytes(),
                record.responseBytes(),
                route == null ? null : route.id(),
                route != null && route.action() instanceof RouteAction.Proxy proxy ? proxy.upstream() : null,
                endpoint == null ? null : endpoint.authority(),
                record.attempts(),
                fallback(record),
                new Times(timeline.total(), timeline.poolWait(), timeline.connect(), timeline.firstByte()),
                record.error(),
                record.tunnelEnd(),
                record.generation().number(),
                record.downstream().tls(),
                record.trace(),
                wanted.copy(head == null ? null : head.headers(), answer == null ? null : answer.headers()),
                sample);
    }

    private static @Nullable String fallback(ExchangeRecord record) {
        GatewayError cause = record.fallbackFor();
        return cause != null ? cause.kind().label() : record.fellBack() ? "status" : null;
    }

    /** When the request came, in milliseconds since 1970. */
    long beganAt() {
        return endedAt - times.total() / 1_000_000;
    }
}
