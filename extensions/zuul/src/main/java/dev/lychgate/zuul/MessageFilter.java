package dev.lychgate.zuul;

import com.netflix.zuul.message.ZuulMessage;
import dev.lychgate.extension.AccompaniedFilter;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.JoinableFilter;
import java.time.Duration;
import java.util.List;

/** Runs a filter of Zuul 2 that processes requests or responses. */
class MessageFilter implements BlockingFilter, AccompaniedFilter {
    private final MessageCode code;
    private final FilterPhase phase;
    private final int order;
    private final BodyUse body;
    private final ZuulSettings settings;
    private final List<Filter> companions;

    /** The use of the whole body by a filter. */
    enum BodyUse {
        /** The filter uses no body. */
        NEVER,
        /** The filter uses the body of each message. */
        ALWAYS,
        /** A {@link BodyQuestion} determines the use for each message. */
        ASKED
    }

    private MessageFilter(
            MessageCode code,
            FilterPhase phase,
            int order,
            BodyUse body,
            ZuulSettings settings,
            List<Filter> companions) {
        this.code = code;
        this.phase = phase;
        this.order = order;
        this.body = body;
        this.settings = settings;
        this.companions = companions;
    }

    /** Consecutive filters run on one thread, unless the need for the body depends on the filters before. */
    private static final class Joined extends MessageFilter implements JoinableFilter {
        Joined(
                MessageCode code,
                FilterPhase phase,
                int order,
                BodyUse body,
                ZuulSettings settings,
                List<Filter> companions) {
            super(code, phase, order, body, settings, companions);
        }
    }

    /** Returns the filters of the gateway that run a filter. @param phase inbound or outbound */
    static List<Filter> of(
            MessageCode code,
            FilterPhase phase,
            int order,
            BodyUse body,
            ZuulSettings settings,
            List<Filter> companions) {
        return body == BodyUse.ASKED
                ? List.of(
                        new BodyQuestion(code, phase, order, settings),
                        new MessageFilter(code, phase, order, body, settings, companions))
                : List.of(new Joined(code, phase, order, body, settings, companions));
    }

    @Override
    public String name() {
        return code.name();
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
        return code.type();
    }

    @Override
    public Duration timeout() {
        return settings.timeout();
    }

    /** As in Zuul, a response continues if a filter fails. */
    @Override
    public FailurePolicy onFailure() {
        return phase == FilterPhase.OUTBOUND ? FailurePolicy.FAIL_OPEN : FailurePolicy.FAIL_CLOSED;
    }

    @Override
    public BodyNeed body() {
        return body == BodyUse.NEVER
                ? BodyNeed.NONE
                : BodyNeed.whole(Math.toIntExact(settings.bodyLimit().bytes()));
    }

    @Override
    public boolean needsBody(FilterExchange exchange) {
        MessageExchange messages = MessageExchange.known(exchange);
        return body == BodyUse.ALWAYS || (messages != null && messages.needsBody());
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) throws Exception {
        MessageExchange messages = MessageExchange.of(exchange);
        boolean isResponse = phase == FilterPhase.OUTBOUND;
        ZuulMessage message = isResponse ? messages.response(exchange) : messages.request(exchange);
        ZuulMessage result = code.run(message);
        if (result == null) {
            return FilterOutcome.proceed();
        }
        messages.take(result);
        if (isResponse) {
            messages.applyResponse(exchange);
        } else {
            messages.applyRequest(exchange);
        }
        if (code.declares("processContentChunk")) {
            ChunkTransform transform = new ChunkTransform(code, result);
            (isResponse ? exchange.getResponse() : exchange.getRequest()).transformBody(transform);
        }
        return FilterOutcome.proceed();
    }
}
