package dev.lychgate.exchange;

import dev.lychgate.chain.LogMark;
import dev.lychgate.config.RouteAction;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.ErrorResponses;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.GrpcStatus;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.exchange.state.Phase;
import dev.lychgate.generation.OverloadPolicy;
import dev.lychgate.http.Grpc;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.QuietPeriod;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fails an exchange: ends its attempts, runs the error filters once, and sends an error response. If a response is
 * already committed, this class aborts the response instead. Created only for exchanges that fail.
 */
final class FailureHandler {
    private static final Logger LOG = LoggerFactory.getLogger(FailureHandler.class);

    private final FailureOwner exchange;
    private final ExchangeState state;
    private final QuietPeriod faults;
    private int retryAfter = 1;
    private boolean filtersOver;

    /**
     * Creates the handler of an exchange.
     *
     * @param faults limits the number of log lines for internal errors
     */
    FailureHandler(FailureOwner exchange, ExchangeState state, QuietPeriod faults) {
        this.exchange = exchange;
        this.state = state;
        this.faults = faults;
    }

    /** Sets the value of {@code Retry-After}, in seconds, for statuses that require the header. */
    void retryAfter(int seconds) {
        retryAfter = seconds;
    }

    void endFilters() {
        filtersOver = true;
    }

    /** Fails the exchange with {@code error}, and logs internal errors. */
    void fail(GatewayError error) {
        if (error.kind() == ErrorKind.INTERNAL && !state.isClosed()) {
            String more = faults.tell(state.now());
            if (more != null) {
                LogMark mark = state.mark();
                mark.on(LOG.atError()).setCause(error.cause()).log("{}{}{}", mark, error.detail(), more);
            }
        }
        failLogged(error);
    }

    /** Fails the exchange with an error that has been logged. */
    void failLogged(GatewayError error) {
        if (state.isClosed()) {
            return;
        }
        state.failed(error);
        if (state.priority() >= 0 && OverloadPolicy.isShed(error.kind())) {
            state.shed(state.priority());
        }
        exchange.stop(error);
        if (state.phase() == Phase.RELAYING) {
            exchange.abort();
            return;
        }
        exchange.dropResponse();
        boolean again = filtersOver;
        filtersOver = true;
        if (again || !exchange.runs(FilterStage.ERROR, state.chains().error())) {
            respond();
        }
    }

    /**
     * Fails the exchange with an internal error. If sending the error response also throws an exception, aborts the
     * exchange.
     *
     * @param what the failed operation, for the log
     */
    void onFault(String what, Throwable cause) {
        try {
            fail(GatewayError.internal(what, cause));
        } catch (Throwable e) {
            LogMark mark = state.mark();
            mark.on(LOG.atError())
                    .setCause(e)
                    .log("{}{}; the error response failed, too, so the exchange is aborted", mark, what);
            exchange.abort();
        }
    }

    /**
     * Adds header fields that the response of an error filter lacks. These are {@code Cache-Control} and, if the
     * response has the status of the error, the fields that this status requires.
     */
    void complete(int status, HttpHeaders headers) {
        ResponseHead own = ErrorResponses.head(requireError(), 0, retryAfter);
        own.headers().remove(HttpHeaderNames.CONTENT_TYPE);
        own.headers().forEach(field -> {
            boolean isMeant = own.status() == status || HttpHeaderNames.CACHE_CONTROL.contentEquals(field.getKey());
            if (isMeant && !headers.contains(field.getKey())) {
                headers.add(field.getKey(), field.getValue());
            }
        });
    }

    private GatewayError requireError() {
        GatewayError error = state.error();
        if (error == null) {
            throw state.unexpected("an error response without an error");
        }
        return error;
    }

    /** Sends the error response, or the fixed page for shed requests. gRPC clients get a gRPC status. */
    void respond() {
        GatewayError error = requireError();
        if (Grpc.isCall(state.requestHead())) {
            exchange.respond(GrpcStatus.head(error), Unpooled.EMPTY_BUFFER, error.getStatus());
            return;
        }
        RouteAction.Respond page = exchange.overloadPage();
        if (page != null) {
            LocalResponses.LocalResponse fixed = LocalResponses.of(page);
            complete(page.status(), fixed.head().headers());
            exchange.respond(fixed.head(), fixed.body(), 0);
            return;
        }
        ByteBuf body = ErrorResponses.body(error, state.requestId());
        exchange.respond(ErrorResponses.head(error, body.readableBytes(), retryAfter), body, 0);
    }
}
