package dev.lychgate.server.accesslog;

import dev.lychgate.config.RouteAccessLog;
import dev.lychgate.config.SampleRate;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.route.Route;
import java.util.SplittableRandom;

/** Decides, exchange by exchange, what goes into the log: what failed always, of the rest a share. */
final class Sampling {
    private final double usual;

    /** @param usual the share where a route does not say another */
    Sampling(SampleRate usual) {
        this.usual = usual.fraction();
    }

    /**
     * Decides on an exchange that is over.
     *
     * @param random of the exchange's event loop
     * @return the share that it was chosen from: a line stands for {@code 1 / share} exchanges; 0 if it is not to be written
     */
    double share(ExchangeRecord record, SplittableRandom random) {
        Route route = record.route();
        RouteAccessLog own = route == null ? null : route.config().accessLog();
        if (own instanceof RouteAccessLog.Off) {
            return 0;
        }
        double share = own instanceof RouteAccessLog.Sampled of ? of.sample().fraction() : usual;
        if (share >= 1 || hasFailed(record)) {
            return 1;
        }
        return random.nextDouble() < share ? share : 0;
    }

    /** Also if a fallback has kept that from the client. */
    private static boolean hasFailed(ExchangeRecord record) {
        return record.status() >= 500 || record.error() != null || record.fellBack();
    }
}
