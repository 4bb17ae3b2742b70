package dev.lychgate.exchange;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.exchange.attempt.AttemptOwner;
import dev.lychgate.loop.Deadline;

/**
 * Fails an exchange at its deadline. The object is small, because many exchanges with a deadline may be open at the
 * same time.
 */
final class ExchangeLimit extends Deadline {
    private final AttemptOwner exchange;

    ExchangeLimit(AttemptOwner exchange) {
        this.exchange = exchange;
    }

    @Override
    protected void onDeadline() {
        exchange.fail(
                GatewayError.upstream(ErrorKind.EXCHANGE_TIMEOUT, Retry.NEVER, "the exchange exceeded its timeout"));
    }
}
