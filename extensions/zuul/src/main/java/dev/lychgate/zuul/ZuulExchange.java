package dev.lychgate.zuul;

import com.netflix.zuul.context.BoundContext;
import com.netflix.zuul.context.RequestContext;
import com.netflix.zuul.exception.ZuulException;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.zuul.bound.BoundGeneration;
import dev.lychgate.zuul.servlet.RequestView;
import dev.lychgate.zuul.servlet.ResponseView;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The context and the servlet objects of an exchange. All Zuul filters of the exchange share them. Used by one filter
 * at a time: on the thread of the filter, or on the event loop.
 */
final class ZuulExchange {
    private static final AttributeKey<ZuulExchange> KEY = AttributeKey.of("zuul", ZuulExchange.class);

    private final RequestContext context;
    private final RequestView request = new RequestView();
    private final ResponseView response = new ResponseView(request);
    private final BoundGeneration generation;
    private final ResponseCommit commit;
    private @Nullable ZuulException failure;
    private boolean handlesFailure;
    /** Whether the filters respond in place of the origin. */
    private boolean local;
    /** Whether a route filter has set the body of the response. */
    private boolean routed;

    private ZuulExchange(BoundGeneration generation, ZuulSettings settings) {
        this.generation = generation;
        this.context = BoundContext.create();
        context.setRequest(request);
        context.setResponse(response);
        this.commit = new ResponseCommit(context, response, settings.bodyLimit());
    }

    /** Returns the context of an exchange; null if no filter of Zuul has run. */
    static @Nullable ZuulExchange of(FilterExchange exchange) {
        return exchange.get(KEY);
    }

    /** Returns the context of an exchange. The first filter creates it. */
    static ZuulExchange of(FilterExchange exchange, BoundGeneration generation, ZuulSettings settings) {
        ZuulExchange known = of(exchange);
        if (known == null) {
            known = new ZuulExchange(generation, settings);
            exchange.set(KEY, known);
        }
        return known;
    }

    RequestContext context() {
        return context;
    }

    ResponseView response() {
        return response;
    }

    RequestView request() {
        return request;
    }

    ResponseCommit commit() {
        return commit;
    }

    /** Returns whether a filter has replaced the request by a wrapper. */
    boolean hasOtherRequest() {
        return context.getRequest() != request;
    }

    /** Returns the body that filters have set in place of the body of the request; null if there is none. */
    @Nullable
    InputStream requestEntity() {
        return context.get("requestEntity") instanceof InputStream body ? body : null;
    }

    /** Code of a filter. */
    interface Code {
        void run() throws Exception;
    }

    /** Runs code of a filter on this thread, with the context bound to the thread. */
    void run(FilterExchange exchange, Code code) throws Exception {
        BoundGeneration before = BoundGeneration.bind(generation);
        BoundContext.bind(context);
        request.attach(exchange);
        try {
            code.run();
        } finally {
            request.detach();
            BoundContext.clear();
            BoundGeneration.bind(before);
        }
    }

    /**
     * Records that a route filter has set the body of the response. In Zuul, the filter that sends the request sets
     * this body.
     */
    void routed() {
        routed = true;
    }

    void failed(ZuulException thrown) {
        failure = thrown;
    }

    /** Prepares the context for the error filters. */
    void handleFailure(@Nullable GatewayError error) {
        if (handlesFailure) {
            return;
        }
        handlesFailure = true;
        local = false;
        response.unchanged();
        commit.begin();
        for (String key : List.of("responseBody", "responseDataStream", "originResponseHeaders")) {
            context.remove(key);
        }
        context.setThrowable(failure != null ? failure : exception(error));
    }

    private static ZuulException exception(@Nullable GatewayError error) {
        if (error == null) {
            return new ZuulException("the exchange has failed", 500, null);
        }
        String kind = error.kind().label();
        return error.cause() == null
                ? new ZuulException(kind, error.getStatus(), kind)
                : new ZuulException(error.cause(), kind, error.getStatus(), kind);
    }

    /** Returns whether filters have determined the response, so that the request is not sent to the origin. */
    boolean hasResponse() {
        return !context.sendZuulResponse() || routed || response.isCommitted();
    }

    /** Returns whether the error filters have determined the response. */
    boolean hasFailureResponse() {
        return handlesFailure && (response.isChanged() || commit.hasBody() || response.isCommitted());
    }

    /** Records that the response of the filters is sent instead of a response of the origin. */
    FilterOutcome localResponse() {
        local = true;
        return handlesFailure ? commit.respond() : FilterOutcome.respond(response.getStatus());
    }

    /** Copies the response of the origin or of the gateway to the context. */
    void onResponse(FilterExchange exchange) {
        commit.onResponse(exchange, local);
    }
}
