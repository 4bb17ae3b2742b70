package dev.lychgate.filters.builtin;

import dev.lychgate.config.ByteSize;
import dev.lychgate.error.Side;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.FilterResponse;
import dev.lychgate.filter.Headers;
import dev.lychgate.filters.coding.CodingCounters;
import dev.lychgate.filters.coding.ContentCoding;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes request bodies, for origins and filters that do not decode bodies themselves. If configured, the filter
 * decodes response bodies as well. It rejects a body as soon as the body exceeds a limit.
 *
 * @param deep the maximum number of codings of one body
 * @param ratio the maximum ratio of decoded to encoded size
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-15.5.16">RFC 9110, 15.5.16 415 Unsupported Media
 *     Type</a>
 */
record Decompress(List<ContentCoding> codings, int deep, ByteSize bytes, int ratio) {
    private static final String FIELD = "content-encoding";

    /** Creates a filter for requests and, if configured, a filter for responses. */
    static List<Filter> filters(Settings settings) {
        Decompress decompress = new Decompress(
                Compress.codings(settings),
                settings.number("max-codings"),
                settings.size("max-bytes"),
                settings.number("max-ratio"));
        Filter requests = Builtin.of(FilterPhase.INBOUND, settings, "", decompress::onRequest);
        return settings.flag("responses")
                ? List.of(requests, Builtin.changing(FilterPhase.OUTBOUND, settings, "", decompress::onResponse))
                : List.of(requests);
    }

    /**
     * Returns the codings of a body, in the order in which they were applied; null if a coding is not supported or
     * there are too many codings.
     */
    private @Nullable List<ContentCoding> codingsOf(Headers headers) {
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

    private FilterOutcome onRequest(FilterExchange exchange) {
        Headers headers = exchange.getRequest().getHeaders();
        List<ContentCoding> applied = codingsOf(headers);
        if (applied == null) {
            CodingCounters.DECODED.refused(CodingCounters.Refusal.CODING);
            return unsupported(exchange);
        }
        // An empty body needs no decoding, because it is empty in every coding.
        if (!applied.isEmpty() && exchange.getRequest().getContentLength() != 0) {
            exchange.getRequest().transformBody(new DecodedBody(applied, bytes, ratio, Side.DOWNSTREAM));
            headers.remove(FIELD);
        }
        return exchange.proceed();
    }

    private FilterOutcome unsupported(FilterExchange exchange) {
        String decoded =
                String.join(", ", codings.stream().map(ContentCoding::token).toList());
        String problem = "{\"type\":\"urn:lychgate:problem:unsupported-coding\",\"title\":\"Unsupported Media Type\","
                + "\"status\":415,\"detail\":\"the request body may have at most " + deep
                + " of these codings: " + decoded + "\",\"request-id\":\"" + exchange.getRequestId() + "\"}\n";
        return exchange.respond(415)
                .header("accept-encoding", decoded)
                .header("cache-control", "no-store")
                .body(problem.getBytes(StandardCharsets.US_ASCII), "application/problem+json");
    }

    /**
     * Decodes a response. A response in an unsupported coding is forwarded unchanged, because the client accepts this
     * coding.
     */
    private void onResponse(FilterExchange exchange) {
        FilterResponse response = exchange.getResponse();
        Headers headers = response.getHeaders();
        List<ContentCoding> applied = codingsOf(headers);
        int status = response.getStatus();
        boolean whole = status != 204 && status != 205 && status != 206 && status != 304;
        if (applied != null && !applied.isEmpty() && whole && !Compress.says(headers, "no-transform")) {
            response.transformBody(new DecodedBody(applied, bytes, ratio, Side.UPSTREAM));
            headers.remove(FIELD);
        }
    }
}
