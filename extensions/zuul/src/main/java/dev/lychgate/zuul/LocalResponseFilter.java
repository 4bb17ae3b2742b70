package dev.lychgate.zuul;

import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.SyncFilter;
import java.util.Locale;

/**
 * Ends a phase with the response that filters of Zuul have determined. {@link CommitFilter} adds the headers and the
 * body of the response, after all post filters have run.
 */
final class LocalResponseFilter implements SyncFilter {
    private final FilterPhase phase;

    /** @param phase inbound, endpoint or error */
    LocalResponseFilter(FilterPhase phase) {
        this.phase = phase;
    }

    @Override
    public String name() {
        return "zuul-" + phase.name().toLowerCase(Locale.ROOT) + "-response";
    }

    @Override
    public FilterPhase phase() {
        return phase;
    }

    @Override
    public int order() {
        return phase == FilterPhase.ENDPOINT ? RoutingFilter.ORDER - 1 : Integer.MAX_VALUE;
    }

    @Override
    public boolean applies(FilterExchange exchange) {
        ZuulExchange zuul = ZuulExchange.of(exchange);
        if (zuul == null) {
            return false;
        }
        return switch (phase) {
            case INBOUND -> !zuul.context().sendZuulResponse();
            case ENDPOINT -> zuul.hasResponse();
            default -> zuul.hasFailureResponse();
        };
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        ZuulExchange zuul = ZuulExchange.of(exchange);
        return zuul == null ? FilterOutcome.proceed() : zuul.localResponse();
    }
}
