package dev.lychgate.filters.builtin;

import dev.lychgate.config.ByteSize;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.filter.Headers;
import dev.lychgate.filter.InboundFilter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Refuses request bodies that are longer than a limit: at once where the request says how long it is, and else when the
 * first byte too many has come. What has gone to the origin by then is cut off there.
 */
final class SizeLimit extends Builtin implements InboundFilter {
    private static final List<String> DIGESTS = List.of("content-md5", "digest", "content-digest", "repr-digest");

    private final long limit;
    private final GatewayError tooLong;

    SizeLimit(Settings settings) {
        super(settings, "");
        ByteSize size = settings.size("limit");
        this.limit = size.bytes();
        this.tooLong = GatewayError.downstream(ErrorKind.BODY_TOO_LARGE, "the request body is longer than " + size);
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        long length = exchange.getRequest().getContentLength();
        if (length > limit) {
            return FilterOutcome.fail(tooLong);
        }
        if (length < 0) {
            count(exchange.getRequest());
        }
        return exchange.proceed();
    }

    /** Counting changes nothing, so what is said of the bytes stays true. */
    private void count(FilterRequest request) {
        Headers headers = request.getHeaders();
        Map<String, List<String>> digests = new LinkedHashMap<>();
        DIGESTS.stream().filter(headers::contains).forEach(name -> digests.put(name, headers.getAll(name)));
        request.transformBody(new Count());
        digests.forEach((name, values) -> values.forEach(value -> headers.add(name, value)));
    }

    private final class Count implements BodyTransform {
        private long bytes;

        @Override
        public byte[] piece(byte[] piece) {
            bytes += piece.length;
            if (bytes > limit) {
                throw new BodyRefusal(tooLong);
            }
            return piece;
        }
    }
}
