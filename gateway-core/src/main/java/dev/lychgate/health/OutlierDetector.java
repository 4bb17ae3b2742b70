package dev.lychgate.health;

import dev.lychgate.config.OutlierConfig;
import dev.lychgate.upstream.EndpointOutcomes;
import dev.lychgate.upstream.EndpointOutcomes.Totals;
import java.util.List;

/**
 * Detects endpoints of one upstream that perform worse under traffic than the other endpoints, and ejects them for a
 * limited time. An endpoint is ejected after consecutive failures, or if its error rate or latency is much higher than
 * at the other endpoints. If all endpoints fail, circuit breakers react instead of this detector. At most a configured
 * share of the endpoints is ejected at a time.
 *
 * <p>Used by one thread, which calls {@link #look} several times a second.
 */
final class OutlierDetector {
    /** Receives the detected outliers. */
    interface Ejection {
        /**
         * Ejects an endpoint.
         *
         * @param index index of the endpoint
         * @param until the end of the ejection, in nanoseconds
         * @param why reason, for the log
         */
        void eject(int index, long until, String why);
    }

    private final OutlierConfig config;
    private final List<Judged> endpoints;
    private final Ejection ejection;
    private long turnAt;

    OutlierDetector(OutlierConfig config, List<EndpointOutcomes> endpoints, Ejection ejection, long now) {
        this.config = config;
        this.endpoints = endpoints.stream().map(Judged::new).toList();
        this.ejection = ejection;
        this.turnAt = now + config.interval().toNanos();
    }

    /**
     * Ejects endpoints with too many consecutive failures. At the end of each interval, also compares the endpoints
     * with each other.
     *
     * @param now the current time, in nanoseconds
     */
    void look(long now) {
        for (int i = 0; i < endpoints.size(); i++) {
            int inARow = endpoints.get(i).outcomes.inARow();
            if (config.consecutive() > 0 && inARow >= config.consecutive()) {
                eject(i, now, inARow + " failures in a row");
            }
        }
        if (now - turnAt >= 0) {
            turnAt = now + config.interval().toNanos();
            endpoints.forEach(Judged::turn);
            for (int i = 0; i < endpoints.size(); i++) {
                compare(i, now);
            }
            endpoints.forEach(one -> one.forgive(now - config.interval().toNanos()));
        }
    }

    private void compare(int index, long now) {
        Totals own = endpoints.get(index).interval();
        Totals peers = peersOf(index);
        if (own.attempts() < config.minimum() || peers.attempts() < config.minimum()) {
            return;
        }
        if (own.failures() - peers.failures() >= config.margin().fraction()) {
            eject(
                    index,
                    now,
                    percent(own.failures()) + " of its attempts failed, compared with " + percent(peers.failures())
                            + " of its peers' attempts");
        } else if (config.slower() > 0 && peers.answered() > 0 && own.latency() >= config.slower() * peers.latency()) {
            eject(index, now, "it responds in " + millis(own.latency()) + ", its peers in " + millis(peers.latency()));
        }
    }

    private Totals peersOf(int index) {
        Totals peers = Totals.NONE;
        for (int i = 0; i < endpoints.size(); i++) {
            if (i != index) {
                peers = peers.plus(endpoints.get(i).interval());
            }
        }
        return peers;
    }

    private void eject(int index, long now, String why) {
        Judged found = endpoints.get(index);
        if (found.isEjected(now)) {
            // Attempts that were in progress at the time of the ejection may fail later.
            found.outcomes.forgetRow();
        } else if (mayEject(now)) {
            long until = found.eject(
                    now, config.ejection().toNanos(), config.longest().toNanos());
            ejection.eject(index, until, why);
        }
    }

    private boolean mayEject(long now) {
        long out = endpoints.stream().filter(one -> one.isEjected(now)).count();
        return out + 1 <= config.maxShare().fraction() * endpoints.size();
    }

    private static String percent(double share) {
        return Math.round(share * 100) + "%";
    }

    private static String millis(double nanos) {
        return Math.round(nanos / 1e6) + " ms";
    }
}
