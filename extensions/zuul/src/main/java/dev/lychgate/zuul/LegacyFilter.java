package dev.lychgate.zuul;

import com.netflix.zuul.FilterProcessor;
import com.netflix.zuul.ZuulFilter;
import com.netflix.zuul.exception.ZuulException;
import dev.lychgate.extension.AccompaniedFilter;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.JoinableFilter;
import dev.lychgate.zuul.bound.BoundGeneration;
import dev.lychgate.zuul.servlet.RequestView;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a filter of Zuul in a phase of the gateway. Consecutive filters of Zuul run on one thread. */
final class LegacyFilter implements JoinableFilter, AccompaniedFilter {
    private static final Logger LOG = LoggerFactory.getLogger(LegacyFilter.class);

    private final ZuulFilter filter;
    private final FilterPhase phase;
    private final int order;
    private final BodyReads reads;
    private final ZuulSettings settings;
    private final BoundGeneration generation;
    private final List<Filter> companions;
    private final AtomicBoolean warned = new AtomicBoolean();

    LegacyFilter(
            ZuulFilter filter,
            FilterPhase phase,
            int order,
            BodyReads reads,
            ZuulSettings settings,
            BoundGeneration generation,
            List<Filter> companions) {
        this.filter = filter;
        this.phase = phase;
        this.order = order;
        this.reads = reads;
        this.settings = settings;
        this.generation = generation;
        this.companions = companions;
    }

    @Override
    public String name() {
        return filter.getClass().getSimpleName();
    }

    @Override
    public FilterPhase phase() {
        return phase;
    }

    @Override
    public int order() {
        return order;
    }

    @Override
    public List<Filter> companions() {
        return companions;
    }

    @Override
    public Class<?> definedIn() {
        return filter.getClass();
    }

    @Override
    public Duration timeout() {
        return settings.timeout();
    }

    /** As in Zuul, the exchange fails if a filter fails, unless it is an error filter. */
    @Override
    public FailurePolicy onFailure() {
        return phase == FilterPhase.ERROR ? FailurePolicy.FAIL_OPEN : FailurePolicy.FAIL_CLOSED;
    }

    @Override
    public BodyNeed body() {
        boolean response = phase == FilterPhase.OUTBOUND;
        boolean needed = phase != FilterPhase.ERROR && (response ? reads.response() : reads.request());
        return needed ? BodyNeed.whole(Math.toIntExact(settings.bodyLimit().bytes())) : BodyNeed.NONE;
    }

    @Override
    public boolean needsBody(FilterExchange exchange) {
        return phase == FilterPhase.OUTBOUND
                || !reads.onlyForms()
                || RequestView.FORM.equals(exchange.getRequest().getMediaType());
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) throws Exception {
        ZuulExchange zuul = ZuulExchange.of(exchange, generation, settings);
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
                    "filter {}: a change of the response has no effect, because the response is complete after the"
                            + " post filters of order {}",
                    name(),
                    CommitFilter.ORDER);
        }
        return FilterOutcome.proceed();
    }
}
