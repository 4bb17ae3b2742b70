package dev.lychgate.server.errorlog;

import dev.lychgate.config.IpLiteral;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Side;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.loop.Loop;
import dev.lychgate.loop.QuietPeriod;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs failed exchanges in the application log. Each event loop logs the first failure of each kind of error. Further
 * failures of that kind are logged at intervals, with the number of failures since the last line (see
 * {@link QuietPeriod}).
 *
 * <p>The level of a line depends on the cause of the failure:
 *
 * <ul>
 *   <li>WARN: an origin or the gateway.
 *   <li>INFO: a client.
 *   <li>DEBUG: a client that left or stalled.
 * </ul>
 *
 * <p>A line contains no text from a client or an origin, so neither can inject text into the log. The observer of a
 * loop runs only on that loop.
 */
public final class ErrorLog implements ExchangeObserver {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorLog.class);

    @Override
    public ExchangeObserver onLoop(Loop loop) {
        return new OfLoop(loop);
    }

    /** @throws IllegalStateException always, because each event loop has its own observer ({@link #onLoop}) */
    @Override
    public void onClosed(Exchange exchange) {
        throw new IllegalStateException("the error log has a separate observer for each event loop; use onLoop");
    }

    private static Level level(GatewayError error) {
        if (error.kind() == ErrorKind.CLIENT_GONE || error.kind() == ErrorKind.CLIENT_STALLED) {
            return Level.DEBUG;
        }
        return error.side() == Side.DOWNSTREAM ? Level.INFO : Level.WARN;
    }

    private static final class OfLoop implements ExchangeObserver {
        private final Loop loop;
        private final Map<ErrorKind, QuietPeriod> told = new EnumMap<>(ErrorKind.class);

        OfLoop(Loop loop) {
            this.loop = loop;
        }

        @Override
        public void onClosed(Exchange exchange) {
            GatewayError error = exchange.record().error();
            if (error != null) {
                onError(exchange, error);
            }
        }

        private void onError(Exchange exchange, GatewayError error) {
            String more = told.computeIfAbsent(error.kind(), kind -> new QuietPeriod())
                    .tell(loop.deadlines().now());
            if (more != null) {
                exchange.record().mark().on(LOG.atLevel(level(error))).log(() -> line(exchange, error, more));
            }
        }

        private static String line(Exchange exchange, GatewayError error, String more) {
            ExchangeRecord record = exchange.record();
            StringBuilder line = new StringBuilder(160)
                    .append(error.kind().label())
                    .append(" (")
                    .append(record.status())
                    .append("): ")
                    .append(error.detail());
            add(line, "route", record.route() == null ? null : record.route().id());
            add(
                    line,
                    "endpoint",
                    record.endpoint() == null ? null : record.endpoint().authority());
            add(line, "client", IpLiteral.text(record.client().getAddress()));
            add(line, "request", record.requestId());
            return line.append(more).toString();
        }

        private static void add(StringBuilder line, String name, @Nullable String value) {
            if (value != null) {
                line.append(", ").append(name).append(' ').append(value);
            }
        }
    }
}
