package dev.lychgate.filters.builtin;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.filter.InboundFilter;

/** Changes the path of every request that has one: {@code OPTIONS *} is left alone. */
final class ChangePath extends Builtin implements InboundFilter {
    private final PathChange change;

    ChangePath(Settings settings, PathChange change) {
        super(settings, "");
        this.change = change;
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        FilterRequest request = exchange.getRequest();
        String path = request.getPath();
        if (!path.startsWith("/")) {
            return exchange.proceed();
        }
        String changed = change.apply(path);
        if (!changed.equals(path)) {
            try {
                request.setPath(changed);
            } catch (IllegalArgumentException e) {
                // What a pattern took from the client's path need not be a path any more.
                return exchange.fail(ErrorKind.BAD_PATH, "no path can be made of this one");
            }
        }
        return exchange.proceed();
    }
}
