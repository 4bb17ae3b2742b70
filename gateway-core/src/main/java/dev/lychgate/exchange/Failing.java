package dev.lychgate.exchange;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.ErrorResponses;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.GrpcStatus;
import dev.lychgate.filter.LogMark;
import dev.lychgate.http.Grpc;
import io.netty.buffer.ByteBuf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How an exchange fails: its attempt ends, error filters have their turn, once, and the client is told, or cut off if it has
 * been told something else already. Made when something goes wrong for the first time.
 */
final class Failing {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    private final Exchange exchange;
    private final Worker worker;
    private int retryAfter = 1;
    private boolean filtersOver;

    Failing(Exchange exchange, Worker worker) {
        this.exchange = exchange;
        this.worker = worker;
    }

    /** What the answer says, if it is a 503, of when to come back, in seconds. */
    void retryAfter(int seconds) {
        retryAfter = seconds;
    }

    /** Error filters have had their turn. */
    void endFilters() {
        filtersOver = true;
    }

    /** Ends the exchange with {@code error}. */
    void fail(GatewayError error) {
        if (exchange.phase() == Phase.CLOSED) {
            return;
        }
        if (error.kind() == ErrorKind.INTERNAL) {
            String more = worker.faults().tell(exchange.now());
            if (more != null) {
                LogMark mark = exchange.mark();
                mark.on(LOG.atError()).setCause(error.cause()).log("{}{}{}", mark, error.detail(), more);
            }
        }
        endBy(error);
    }

    /** As {@link #fail}, for what the log knows of already. */
    void endBy(GatewayError error) {
        if (exchange.phase() == Phase.CLOSED) {
            return;
        }
        exchange.record().error = error;
        FilteredExchange filtered = exchange.filtered();
        if (filtered != null) {
            filtered.cancel();
        }
        exchange.endAttempt(error);
        Attempts all = exchange.forwarding().attempts();
        if (all != null) {
            all.giveUp();
        }
        if (exchange.phase() == Phase.RELAYING) {
            exchange.cutOff();
            return;
        }
        exchange.answering().drop();
        boolean again = filtersOver;
        filtersOver = true;
        if (again || !exchange.runs(FilterStage.ERROR, exchange.chains().error())) {
            answer();
        }
    }

    /** A fault of ours that nobody above would answer for: as {@link #fail}, or a cut where not even that can be done. */
    void onFault(String what, Throwable cause) {
        try {
            fail(GatewayError.internal(what, cause));
        } catch (Throwable e) {
            FilterRun.rethrowFatal(e);
            LogMark mark = exchange.mark();
            mark.on(LOG.atError()).setCause(e).log("{}{}, and so did its error answer", mark, what);
            exchange.cutOff();
        }
    }

    /** Tells the client, in the words of its protocol. */
    void answer() {
        GatewayError error = exchange.record().error;
        if (error == null) {
            throw new IllegalStateException("no error to answer in phase " + exchange.phase());
        }
        if (Grpc.isCall(exchange.head())) {
            exchange.answering().answerCall(GrpcStatus.head(error), ErrorResponses.status(error.kind()));
            return;
        }
        ByteBuf body = ErrorResponses.body(
                error, exchange.record().requestId, exchange.downstream().allocator());
        exchange.answering().answer(ErrorResponses.head(error, body.readableBytes(), retryAfter), body);
    }
}
