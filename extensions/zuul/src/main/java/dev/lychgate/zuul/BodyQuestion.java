package dev.lychgate.zuul;

import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.JoinableFilter;
import java.util.List;

/** Determines whether a filter of Zuul 2 needs the body of a message, directly before the filter runs. */
final class BodyQuestion extends FilterOfZuul implements JoinableFilter {
    private final MessageCode code;
    private final FilterPhase phase;

    BodyQuestion(MessageCode code, FilterPhase phase, int order, ZuulSettings settings, List<Filter> companions) {
        super(code.type(), order, settings, companions);
        this.code = code;
        this.phase = phase;
    }

    /**
     * Returns a name that sorts before the name of the filter, because filters of equal order run in the order of their
     * names.
     */
    @Override
    public String name() {
        return "(body of " + code.name() + ")";
    }

    @Override
    public FilterPhase phase() {
        return phase;
    }

    @Override
    public FailurePolicy onFailure() {
        return phase == FilterPhase.OUTBOUND ? FailurePolicy.FAIL_OPEN : FailurePolicy.FAIL_CLOSED;
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        MessageExchange messages = MessageExchange.of(exchange);
        messages.needsBody(false);
        messages.needsBody(code.needsBody(
                phase == FilterPhase.OUTBOUND ? messages.response(exchange) : messages.request(exchange)));
        return FilterOutcome.proceed();
    }
}
