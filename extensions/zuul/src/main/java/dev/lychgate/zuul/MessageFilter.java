package dev.lychgate.zuul;

import com.netflix.zuul.message.ZuulMessage;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.JoinableFilter;
import java.util.List;

/** Runs a filter of Zuul 2 that processes requests or responses. */
class MessageFilter extends FilterOfZuul implements BlockingFilter {
    private final MessageCode code;
    private final FilterPhase phase;
    private final BodyUse body;
    private final boolean changesChunks;

    /** Determines whether a filter uses the whole body. */
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
        super(code.type(), order, settings, companions);
        this.code = code;
        this.phase = phase;
        this.body = body;
        this.changesChunks = code.declares("processContentChunk");
    }

    /** A filter without a {@link BodyQuestion}. Consecutive filters of this class run on one thread. */
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

    /**
     * Returns the filters of the gateway that run a filter.
     *
     * @param phase inbound or outbound
     */
    static List<Filter> of(
            MessageCode code,
            FilterPhase phase,
            int order,
            BodyUse body,
            ZuulSettings settings,
            List<Filter> companions) {
        return body == BodyUse.ASKED
                ? List.of(
                        new BodyQuestion(code, phase, order, settings, companions),
                        new MessageFilter(code, phase, order, body, settings, companions))
                : List.of(new Joined(code, phase, order, body, settings, companions));
    }

    @Override
    public FilterPhase phase() {
        return phase;
    }

    /** As in Zuul, the response is still sent if a filter that processes the response fails. */
    @Override
    public FailurePolicy onFailure() {
        return phase == FilterPhase.OUTBOUND ? FailurePolicy.FAIL_OPEN : FailurePolicy.FAIL_CLOSED;
    }

    @Override
    public BodyNeed body() {
        return wholeBodyIf(body != BodyUse.NEVER);
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
        if (changesChunks) {
            ChunkTransform transform = new ChunkTransform(code, result);
            (isResponse ? exchange.getResponse() : exchange.getRequest()).transformBody(transform);
        }
        return FilterOutcome.proceed();
    }
}
