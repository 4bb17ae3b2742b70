package dev.lychgate.server.accesslog;

import dev.lychgate.cache.CacheOutcome;
import dev.lychgate.config.KnownSecrets;
import dev.lychgate.config.RouteAction;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.exchange.state.Timeline;
import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.filter.Identity;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The values of one access log line. A record refers neither to the exchange nor to its buffers. Durations are in
 * nanoseconds; -1 means unknown. Texts are not yet escaped.
 *
 * @param endedAt end of the exchange, in milliseconds since 1970
 * @param subject the subject of the sender's verified identity; null if there is none
 * @param request the request; null if the bytes received were not HTTP
 * @param attempts number of attempts, including attempts that were not sent
 * @param calls number of call-outs that filters sent
 * @param tunnelEnd the reason why the WebSocket ended; null for other exchanges
 * @param fallback the reason why the route's fallback ran; null if it did not run
 * @param cache how the cache handled the request; null if the route has no cache
 * @param fault the effects of injected faults, as {@code name:kind} with commas between them; null if there were none
 * @param tls TLS details of the client; null without TLS
 * @param trace the trace to which the exchange belongs; null if there is none
 * @param fields the logged header fields; null if none are configured
 * @param sample the sampling fraction; 1 if the exchange was not sampled
 */
record AccessRecord(
        long endedAt,
        String id,
        String listener,
        InetAddress client,
        @Nullable String subject,
        @Nullable Request request,
        int status,
        long requestBytes,
        long responseBytes,
        @Nullable String route,
        @Nullable String upstream,
        @Nullable String endpoint,
        int attempts,
        int calls,
        @Nullable String fallback,
        Times times,
        @Nullable GatewayError error,
        @Nullable TunnelEnd tunnelEnd,
        @Nullable CacheOutcome cache,
        @Nullable String fault,
        long generation,
        @Nullable TlsSession tls,
        @Nullable TraceContext trace,
        LoggedFields.@Nullable Copied fields,
        double sample)
        implements LoggedItem {
    /** A request as received. Long texts are truncated, because a queue full of requests must fit into memory. */
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
                    shown(head.host(), 256),
                    shown(head.rawPath(), 2048),
                    cutOrNull(head.query(), 2048),
                    head.version(),
                    cutOrNull(head.headers().get(HttpHeaderNames.USER_AGENT), 512),
                    cutOrNull(head.headers().get(HttpHeaderNames.REFERER), 1024));
        }

        String protocol() {
            return version.text();
        }

        /** Returns the redacted user agent; null if there was none. */
        @Nullable
        String userAgent(Redaction redaction) {
            return userAgent == null ? null : redaction.field(HttpHeaderNames.USER_AGENT, userAgent);
        }

        /**
         * Returns the redacted referer; null if there was none. Redaction is needed because the referer may contain
         * another page's query with secrets.
         */
        @Nullable
        String referer(Redaction redaction) {
            return referer == null ? null : redaction.field(HttpHeaderNames.REFERER, referer);
        }

        String host(Redaction redaction) {
            return redaction.hides(HttpHeaderNames.HOST) ? Redaction.MASK : host;
        }

        private static @Nullable String cutOrNull(@Nullable String text, int longest) {
            return text == null ? null : shown(text, longest);
        }

        /**
         * Returns a text in which secrets of the configuration are masked. A filter may have written such a secret into
         * the request.
         */
        private static String shown(String text, int longest) {
            return cut(KnownSecrets.OF_PROCESS.hide(text), longest);
        }
    }

    static String cut(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest) + "...";
    }

    /** Durations of the exchange and its stages in nanoseconds; -1 means unknown. */
    record Times(long total, long poolWait, long connect, long firstByte) {}

    /**
     * Copies the logged values of a completed exchange. To be called on the event loop of the exchange.
     *
     * @param now the current time, in milliseconds since 1970
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
                subject(record.identity()),
                head == null ? null : Request.of(head),
                record.status(),
                record.requestBytes(),
                record.responseBytes(),
                route == null ? null : route.id(),
                route != null && route.action() instanceof RouteAction.Proxy proxy ? proxy.upstream() : null,
                endpoint == null ? null : endpoint.authority(),
                record.attempts(),
                record.calls().size(),
                fallback(record),
                new Times(timeline.total(), timeline.poolWait(), timeline.connect(), timeline.firstByte()),
                record.error(),
                record.tunnelEnd(),
                record.cache(),
                fault(record),
                record.generation().number(),
                record.downstream().tls(),
                record.trace(),
                wanted.copy(head == null ? null : head.headers(), answer == null ? null : answer.headers()),
                sample);
    }

    private static @Nullable String subject(@Nullable Identity sender) {
        String subject = sender == null ? null : sender.subject();
        return subject == null || subject.isEmpty() ? null : cut(subject, 256);
    }

    private static @Nullable String fallback(ExchangeRecord record) {
        GatewayError cause = record.fallbackFor();
        return cause != null ? cause.kind().label() : record.fellBack() ? "status" : null;
    }

    private static @Nullable String fault(ExchangeRecord record) {
        return record.injections().isEmpty()
                ? null
                : record.injections().stream()
                        .map(one -> one.fault() + ":" + one.kind().label())
                        .collect(Collectors.joining(","));
    }

    /** Returns the time at which the request arrived, in milliseconds since 1970. */
    long beganAt() {
        return endedAt - times.total() / 1_000_000;
    }
}
