package dev.lychgate.zuul;

import com.netflix.zuul.FilterProcessor;
import com.netflix.zuul.ZuulFilter;
import com.netflix.zuul.exception.ZuulException;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.JoinableFilter;
import dev.lychgate.zuul.bound.BoundGeneration;
import dev.lychgate.zuul.servlet.RequestView;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a filter of Zuul in a phase of the gateway. Consecutive filters of Zuul run on one thread. */
final class LegacyFilter extends FilterOfZuul implements JoinableFilter {
    private static final Logger LOG = LoggerFactory.getLogger(LegacyFilter.class);

    private final ZuulFilter filter;
    private final FilterPhase phase;
    private final BodyReads reads;
    private final BoundGeneration generation;
    private final AtomicBoolean warned = new AtomicBoolean();

    /** @param type the class with the code of the filter, which a generated class may extend */
    LegacyFilter(
            Class<?> type,
            ZuulFilter filter,
            FilterPhase phase,
            int order,
            BodyReads reads,
            ZuulSettings settings,
            BoundGeneration generation,
            List<Filter> companions) {
        super(type, order, settings, companions);
        this.filter = filter;
        this.phase = phase;
        this.reads = reads;
        this.generation = generation;
    }

    @Override
    public FilterPhase phase() {
        return phase;
    }

    /** As in Zuul, the failure of a filter fails the exchange. If an error filter fails, the exchange continues. */
    @Override
    public FailurePolicy onFailure() {
        return phase == FilterPhase.ERROR ? FailurePolicy.FAIL_OPEN : FailurePolicy.FAIL_CLOSED;
    }

    @Override
    public BodyNeed body() {
        boolean response = phase == FilterPhase.OUTBOUND;
        boolean needed = phase != FilterPhase.ERROR && (response ? reads.response() : reads.request());
        return wholeBodyIf(needed);
    }

    @Override
    public boolean needsBody(FilterExchange exchange) {
        return phase == FilterPhase.OUTBOUND
                || !reads.onlyForms()
                || RequestView.FORM.equals(exchange.getRequest().getMediaType());
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) throws Exception {
        ZuulExchange zuul = ZuulExchange.of(exchange, generation, settings());
        if (phase == FilterPhase.ERROR) {
            zuul.handleFailure(exchange.getError());
        } else if (phase == FilterPhase.OUTBOUND) {
            zuul.onResponse(exchange);
        }
        boolean late = zuul.commit().isCommitted();
        List<Object> before = late ? zuul.commit().state() : zuul.commit().bodyState();
        try {
            zuul.run(exchange, () -> {
                FilterProcessor.getInstance().processZuulFilter(filter);
                zuul.commit().readStream();
            });
        } catch (ZuulException e) {
            zuul.failed(e);
            throw e;
        }
        if (phase == FilterPhase.ENDPOINT && !before.equals(zuul.commit().bodyState())) {
            zuul.routed();
        }
        if (late && !before.equals(zuul.commit().state()) && !warned.getAndSet(true)) {
            LOG.warn(
                    "filter {} changed the response too late, so the change has no effect; only post filters with an"
                            + " order of at most {} can change the response",
                    name(),
                    CommitFilter.ORDER);
        }
        return FilterOutcome.proceed();
    }
}
