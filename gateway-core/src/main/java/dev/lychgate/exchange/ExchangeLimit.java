package dev.lychgate.exchange;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Loop;

/** The deadline of a whole exchange. */
final class ExchangeLimit extends Deadline {
    private final ExchangeParts exchange;
    private final Loop loop;

    ExchangeLimit(ExchangeParts exchange, Loop loop) {
        this.exchange = exchange;
        this.loop = loop;
    }

    /** The exchange ends within {@code nanos} from now on, which replaces an earlier limit. */
    void begin(long nanos) {
        exchange.state.endsWithin(nanos);
        loop.deadlines().arm(this, nanos);
    }

    void end() {
        loop.deadlines().remove(this);
    }

    @Override
    protected void onDeadline() {
        exchange.fail(
                GatewayError.upstream(ErrorKind.EXCHANGE_TIMEOUT, Retry.NEVER, "the exchange took longer than it may"));
    }
}
