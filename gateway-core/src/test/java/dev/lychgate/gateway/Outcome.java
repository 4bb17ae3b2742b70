package dev.lychgate.gateway;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.exchange.state.TunnelEnd;
import org.jspecify.annotations.Nullable;

/** The result of an exchange, copied at its end. */
record Outcome(
        int status,
        int attempts,
        @Nullable ErrorKind error,
        Half request,
        Half response,
        long requestBytes,
        long responseBytes,
        long generation,
        String requestId,
        @Nullable TunnelEnd tunnel,
        int shed) {
    static Outcome of(Exchange exchange) {
        ExchangeRecord record = exchange.record();
        return new Outcome(
                record.status(),
                record.attempts(),
                record.error() == null ? null : record.error().kind(),
                exchange.record().request(),
                exchange.record().response(),
                record.requestBytes(),
                record.responseBytes(),
                exchange.record().generation().number(),
                record.requestId(),
                record.tunnelEnd(),
                record.shed());
    }
}
