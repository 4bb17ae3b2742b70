package dev.lychgate.filters.builtin;

import dev.lychgate.config.ByteSize;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;

/**
 * Refuses request bodies that are longer than a limit: at once where the request says how long it is, and else when the
 * first byte too many has come. What has gone to the origin by then is cut off there.
 */
final class SizeLimit extends Builtin implements InboundFilter {
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
            exchange.getRequest().transformBody(new Count());
        }
        return exchange.proceed();
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

        @Override
        public boolean changes() {
            return false;
        }
    }
}
