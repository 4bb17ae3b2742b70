package dev.lychgate.filters.builtin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.FilterResponse;
import dev.lychgate.filter.Headers;
import dev.lychgate.filters.coding.AcceptEncoding;
import dev.lychgate.filters.coding.CodingCounters;
import dev.lychgate.filters.coding.ContentCoding;
import dev.lychgate.filters.coding.MediaTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Compresses responses for clients that accept a coding. Responses that depend on the accepted codings have the header
 * {@code Vary}. Entity tags of compressed responses are weak, because one tag identifies both the compressed and the
 * uncompressed form.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3.3">RFC 9110, 8.8.3.3 Entity Tags Varying on
 *     Content-Negotiated Resources</a>
 */
final class Compress {
    /** The codings that the client accepts. Changes of the request by later filters do not affect them. */
    private static final AttributeKey<AcceptEncoding> ACCEPTED =
            AttributeKey.of("accept-encoding", AcceptEncoding.class);

    private static final String ACCEPT_ENCODING = "accept-encoding";

    private final List<ContentCoding> codings;
    private final MediaTypes types;
    private final long minLength;
    private final Map<ContentCoding, Integer> levels;
    private final int windowBits;

    private Compress(Settings settings) {
        this.codings = codings(settings);
        this.types = types(settings);
        this.minLength = settings.size("min-length").bytes();
        int gzip = settings.number("gzip-level");
        this.levels = Map.of(
                ContentCoding.ZSTD,
                settings.number("zstd-level"),
                ContentCoding.BR,
                settings.number("br-level"),
                ContentCoding.GZIP,
                gzip,
                ContentCoding.DEFLATE,
                gzip);
        this.windowBits = windowBits(settings);
    }

    /**
     * Creates two filters. The first reads the codings that the client accepts, before other filters change the
     * request. The second compresses the response.
     */
    static List<Filter> filters(Settings settings) {
        Compress compress = new Compress(settings);
        return List.of(
                Builtin.changing(FilterPhase.INBOUND, settings, "", Compress::remember),
                Builtin.changing(FilterPhase.OUTBOUND, settings, "", compress::compress));
    }

    /**
     * Returns the codings of the setting {@code codings}, in its order. If the setting is absent, returns the default
     * list without the codings that are not available on this machine.
     *
     * @throws ConfigException if a coding is unknown or listed twice, if a coding that the setting names is not
     *     available on this machine, or if no coding remains
     */
    static List<ContentCoding> codings(Settings settings) {
        List<ContentCoding> codings = new ArrayList<>();
        for (String token : settings.texts("codings")) {
            ContentCoding coding = ContentCoding.of(token);
            if (coding == null || codings.contains(coding)) {
                throw new ConfigException("codings", token, "each of zstd, br, gzip and deflate at most once");
            }
            if (coding.isAvailable()) {
                codings.add(coding);
            } else if (settings.isSaid("codings")) {
                throw new ConfigException(
                        "codings", token, "a coding with a library that can be loaded on this machine");
            }
        }
        if (codings.isEmpty()) {
            throw new ConfigException("codings", settings.texts("codings"), "at least one coding");
        }
        return List.copyOf(codings);
    }

    private static MediaTypes types(Settings settings) {
        try {
            return MediaTypes.of(settings.texts("types"));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "types",
                    String.valueOf(e.getMessage()),
                    "media types such as text/html, text/*, application/*+json or */*");
        }
    }

    private static int windowBits(Settings settings) {
        long window = settings.size("window").bytes();
        int bits = Long.SIZE - 1 - Long.numberOfLeadingZeros(window);
        if (window != 1L << bits || bits < 14 || bits > 23) {
            throw new ConfigException("window", settings.size("window"), "a power of two from 16KiB to 8MiB");
        }
        return bits;
    }

    private static void remember(FilterExchange exchange) {
        if (exchange.get(ACCEPTED) == null) {
            exchange.set(ACCEPTED, accepted(exchange));
        }
    }

    private void compress(FilterExchange exchange) {
        FilterResponse response = exchange.getResponse();
        Headers headers = response.getHeaders();
        if (response.getStatus() == 304) {
            notModified(exchange.getRequest().getHeaders(), headers);
        } else if (isCompressible(response)) {
            HeaderFilters.vary(headers, "Accept-Encoding");
            ContentCoding coding = accepted(exchange).choose(codings);
            if (coding != null && !says(exchange.getRequest().getHeaders(), "no-transform")) {
                boolean flushes = response.getContentLength() < 0;
                CompressedBody body = CompressedBody.of(
                        coding, levels.getOrDefault(coding, coding.usualLevel()), windowBits, flushes);
                if (body == null) {
                    CodingCounters.ENCODED.skip();
                } else {
                    response.transformBody(body);
                    headers.set("content-encoding", coding.token());
                }
            }
        }
    }

    private static AcceptEncoding accepted(FilterExchange exchange) {
        AcceptEncoding asked = exchange.get(ACCEPTED);
        // The attribute is missing if the request was rejected before the first filter ran. In this case, no filter has
        // changed the header.
        return asked == null
                ? AcceptEncoding.of(exchange.getRequest().getHeaders().getAll(ACCEPT_ENCODING))
                : asked;
    }

    /** Returns whether the filter compresses this response if the client accepts a coding. */
    private boolean isCompressible(FilterResponse response) {
        Headers headers = response.getHeaders();
        int status = response.getStatus();
        boolean bodiless = status == 204 || status == 205;
        boolean part = status == 206 || headers.contains("content-range");
        if (bodiless || part || isEncoded(headers) || says(headers, "no-transform")) {
            return false;
        }
        String type = headers.get("content-type");
        long length = response.getContentLength();
        return type != null && types.contain(type) && (length < 0 || length >= minLength);
    }

    private static boolean isEncoded(Headers headers) {
        return headers.getAll("content-encoding").stream()
                .anyMatch(value -> !value.isBlank() && !value.equalsIgnoreCase("identity"));
    }

    static boolean says(Headers headers, String directive) {
        return headers.getAll("cache-control").stream()
                .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains(directive));
    }

    /**
     * Adapts the header fields of a 304 response to the 200 response that the client has stored. A 304 usually lacks
     * the media type, so it does not show whether the stored response was compressed. The entity tag in the request
     * shows it: a weak tag belongs to a compressed response.
     */
    private void notModified(Headers asked, Headers headers) {
        String type = headers.get("content-type");
        if (says(headers, "no-transform") || isEncoded(headers) || (type != null && !types.contain(type))) {
            return;
        }
        HeaderFilters.vary(headers, "Accept-Encoding");
        String tag = headers.get("etag");
        if (tag != null && tag.startsWith("\"") && asksFor(asked, "W/" + tag)) {
            headers.set("etag", "W/" + tag);
        }
    }

    private static boolean asksFor(Headers asked, String tag) {
        return asked.getAll("if-none-match").stream().anyMatch(value -> value.contains(tag));
    }
}
