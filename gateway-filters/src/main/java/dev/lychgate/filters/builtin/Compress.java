package dev.lychgate.filters.builtin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterResponse;
import dev.lychgate.filter.Headers;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.filters.coding.AcceptEncoding;
import dev.lychgate.filters.coding.CodingCounters;
import dev.lychgate.filters.coding.ContentCoding;
import dev.lychgate.filters.coding.MediaTypes;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compresses answers for clients that take it. What one client gets compressed, another gets as it is: all of them are told by
 * {@code Vary}, and tags of what is compressed are weak, as they stand for both.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3.3">RFC 9110, 8.8.3.3 Entity Tags Varying on
 *     Content-Negotiated Resources</a>
 */
final class Compress extends Builtin implements OutboundFilter {
    /** What the client takes, whatever the origin was told later. */
    private static final AttributeKey<AcceptEncoding> ACCEPTED =
            AttributeKey.of("accept-encoding", AcceptEncoding.class);

    private static final String ACCEPT_ENCODING = "accept-encoding";

    private final List<ContentCoding> codings;
    private final MediaTypes types;
    private final long minLength;
    private final Map<ContentCoding, Integer> levels;
    private final int windowBits;

    private Compress(Settings settings) {
        super(settings, "");
        this.codings = Codings.of(settings, "codings");
        this.types = types(settings);
        this.minLength = settings.size("min-length").bytes();
        int gzip = Codings.level(settings, "gzip-level", ContentCoding.GZIP);
        this.levels = Map.of(
                ContentCoding.ZSTD,
                Codings.level(settings, "zstd-level", ContentCoding.ZSTD),
                ContentCoding.BR,
                Codings.level(settings, "br-level", ContentCoding.BR),
                ContentCoding.GZIP,
                gzip,
                ContentCoding.DEFLATE,
                gzip);
        this.windowBits = windowBits(settings);
    }

    /** One that looks at the request while it still says what the client takes, and one for the answer. */
    static List<Filter> filters(Settings settings) {
        return List.of(new Ask(settings), new Compress(settings));
    }

    private static MediaTypes types(Settings settings) {
        try {
            return MediaTypes.of(settings.texts("types"));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "types",
                    String.valueOf(e.getMessage()),
                    "media types as text/html, text/*, application/*+json or */*");
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

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        FilterResponse response = exchange.getResponse();
        Headers headers = response.getHeaders();
        if (response.getStatus() == 304) {
            notModified(exchange.getRequest().getHeaders(), headers);
        } else if (isCompressible(response)) {
            vary(headers);
            ContentCoding coding = accepted(exchange).choose(codings);
            if (coding != null && !says(exchange.getRequest().getHeaders(), "no-transform")) {
                CompressedBody body = body(coding, response.getContentLength() < 0);
                if (body == null) {
                    CodingCounters.ENCODED.skip();
                } else {
                    response.transformBody(body);
                    headers.set("content-encoding", coding.token());
                }
            }
        }
        return exchange.proceed();
    }

    private @Nullable CompressedBody body(ContentCoding coding, boolean flushes) {
        Integer level = levels.get(coding);
        return CompressedBody.of(coding, level == null ? coding.usualLevel() : level, windowBits, flushes);
    }

    private static AcceptEncoding accepted(FilterExchange exchange) {
        AcceptEncoding asked = exchange.get(ACCEPTED);
        // A request that was refused before this filter saw it is as it came.
        return asked == null
                ? AcceptEncoding.of(exchange.getRequest().getHeaders().getAll(ACCEPT_ENCODING))
                : asked;
    }

    /** Whether a client that takes it would get the answer compressed. */
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
     * A 304 says what the 200 would have said. Its type is seldom there to tell whether that would have been compressed; the
     * client tells, by the tag that it has: a weak one is what it got of us.
     */
    private void notModified(Headers asked, Headers headers) {
        String type = headers.get("content-type");
        if (says(headers, "no-transform") || isEncoded(headers) || (type != null && !types.contain(type))) {
            return;
        }
        vary(headers);
        String tag = headers.get("etag");
        if (tag != null && tag.startsWith("\"") && asksFor(asked, "W/" + tag)) {
            headers.set("etag", "W/" + tag);
        }
    }

    private static boolean asksFor(Headers asked, String tag) {
        return asked.getAll("if-none-match").stream().anyMatch(value -> value.contains(tag));
    }

    private static void vary(Headers headers) {
        for (String field : headers.getAll("vary")) {
            for (String name : field.split(",", -1)) {
                if (name.trim().equals("*") || name.trim().equalsIgnoreCase(ACCEPT_ENCODING)) {
                    return;
                }
            }
        }
        @Nullable String first = headers.get("vary");
        if (first == null || headers.getAll("vary").size() > 1) {
            headers.add("vary", "Accept-Encoding");
        } else {
            headers.set("vary", first.isBlank() ? "Accept-Encoding" : first + ", Accept-Encoding");
        }
    }

    /** Notes down what the client takes: later filters may ask the origin for something else. */
    private static final class Ask extends Builtin implements InboundFilter {
        Ask(Settings settings) {
            super(settings, "");
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            if (exchange.get(ACCEPTED) == null) {
                exchange.set(
                        ACCEPTED,
                        AcceptEncoding.of(exchange.getRequest().getHeaders().getAll(ACCEPT_ENCODING)));
            }
            return exchange.proceed();
        }
    }
}
