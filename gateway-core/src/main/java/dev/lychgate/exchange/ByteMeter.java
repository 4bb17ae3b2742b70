package dev.lychgate.exchange;

import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Loop;
import java.util.concurrent.TimeUnit;

/**
 * Charges the bytes of an exchange to its rate limits once per second. A charge at the end of the exchange would be too
 * late, because a WebSocket, a stream of events or a download may last for hours. Created only for exchanges with a
 * rate limit that counts bytes. Used on the exchange's event loop.
 */
final class ByteMeter extends Deadline {
    private static final long INTERVAL = TimeUnit.SECONDS.toNanos(1);

    private final CountedRates rates;
    private final ExchangeRecord exchange;
    private final Loop loop;

    ByteMeter(CountedRates rates, ExchangeRecord exchange, Loop loop) {
        this.rates = rates;
        this.exchange = exchange;
        this.loop = loop;
    }

    void begin() {
        loop.deadlines().arm(this, INTERVAL);
    }

    @Override
    protected void onDeadline() {
        rates.chargeBytes(exchange.requestBytes() + exchange.responseBytes());
        begin();
    }

    void end() {
        loop.deadlines().remove(this);
    }
}
