package dev.lychgate.filters.builtin;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.ConfigException;
import dev.lychgate.error.Side;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterResponse;
import dev.lychgate.filter.Headers;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.filters.coding.CodingCounters;
import dev.lychgate.filters.coding.ContentCoding;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Undoes the codings of request bodies, for origins and filters that don't; of answers too, where that is wanted. A body that
 * would become too long is refused before it has.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-15.5.16">RFC 9110, 15.5.16 415 Unsupported Media Type</a>
 */
final class Decompress extends Builtin implements InboundFilter {
    private static final String FIELD = "content-encoding";

    private final Limits limits;

    /** @param codings those that are taken @param deep how many at once */
    private record Limits(List<ContentCoding> codings, int deep, ByteSize bytes, int ratio) {
        static Limits of(Settings settings) {
            int deep = settings.number("max-codings");
            if (deep < 1 || deep > 5) {
                throw new ConfigException("max-codings", deep, "1 to 5");
            }
            int ratio = settings.number("max-ratio");
            if (ratio < 1) {
                throw new ConfigException("max-ratio", ratio, "1 or more");
            }
            return new Limits(Codings.of(settings, "codings"), deep, settings.size("max-bytes"), ratio);
        }

        /** The codings of a body in the order in which they were applied; null if one of them is not taken. */
        @Nullable
        List<ContentCoding> codingsOf(Headers headers) {
            List<ContentCoding> applied = new ArrayList<>();
            for (String field : headers.getAll(FIELD)) {
                for (String token : field.split(",", -1)) {
                    String name = token.trim();
                    if (name.isEmpty() || name.equalsIgnoreCase("identity")) {
                        continue;
                    }
                    ContentCoding coding = ContentCoding.of(name);
                    if (coding == null || !codings.contains(coding) || applied.size() == deep) {
                        return null;
                    }
                    applied.add(coding);
                }
            }
            return applied;
        }

        DecodedBody body(List<ContentCoding> applied, Side of) {
            return new DecodedBody(applied, bytes, ratio, of);
        }
    }

    private Decompress(Settings settings, Limits limits) {
        super(settings, "");
        this.limits = limits;
    }

    /** One filter for requests, and one for answers if that is wanted. */
    static List<Filter> filters(Settings settings) {
        Limits limits = Limits.of(settings);
        List<Filter> filters = new ArrayList<>();
        filters.add(new Decompress(settings, limits));
        if (settings.flag("answers")) {
            filters.add(new Answers(settings, limits));
        }
        return filters;
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        Headers headers = exchange.getRequest().getHeaders();
        List<ContentCoding> applied = limits.codingsOf(headers);
        if (applied == null) {
            CodingCounters.DECODED.refused(CodingCounters.Refusal.CODING);
            return unsupported(exchange);
        }
        // Nothing is nothing in any coding.
        if (!applied.isEmpty() && exchange.getRequest().getContentLength() != 0) {
            exchange.getRequest().transformBody(limits.body(applied, Side.DOWNSTREAM));
            headers.remove(FIELD);
        }
        return exchange.proceed();
    }

    private FilterOutcome unsupported(FilterExchange exchange) {
        String taken = Codings.tokens(limits.codings());
        String problem = "{\"type\":\"urn:lychgate:problem:unsupported-coding\",\"title\":\"Unsupported Media Type\","
                + "\"status\":415,\"detail\":\"the request body may be in " + limits.deep()
                + " of these codings at most: " + taken + "\",\"request-id\":\"" + exchange.getRequestId() + "\"}\n";
        return exchange.respond(415)
                .header("accept-encoding", taken)
                .header("cache-control", "no-store")
                .body(problem.getBytes(StandardCharsets.US_ASCII), "application/problem+json");
    }

    /** Those of origins; what is in a coding that is not taken goes on as it is, as the client has asked for it. */
    private static final class Answers extends Builtin implements OutboundFilter {
        private final Limits limits;

        Answers(Settings settings, Limits limits) {
            super(settings, "");
            this.limits = limits;
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            FilterResponse response = exchange.getResponse();
            Headers headers = response.getHeaders();
            List<ContentCoding> applied = limits.codingsOf(headers);
            int status = response.getStatus();
            boolean whole = status != 204 && status != 205 && status != 206 && status != 304;
            if (applied != null && !applied.isEmpty() && whole && !Compress.says(headers, "no-transform")) {
                response.transformBody(limits.body(applied, Side.UPSTREAM));
                headers.remove(FIELD);
            }
            return exchange.proceed();
        }
    }
}
