package dev.lychgate.exchange;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Loop;

/** How long an exchange may take, all in all. */
final class ExchangeLimit extends Deadline {
    private final Exchange exchange;
    private final Loop loop;
    private long endsAt;

    ExchangeLimit(Exchange exchange, Loop loop) {
        this.exchange = exchange;
        this.loop = loop;
    }

    /** The exchange is to end within {@code nanos} from now on, whatever was said before. */
    void begin(long nanos) {
        endsAt = loop.nanoTime() + nanos;
        loop.deadlines().arm(this, nanos);
    }

    /** In nanoseconds; not below 0. */
    long remaining(long now) {
        return Math.max(0, endsAt - now);
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
