package dev.lychgate.health;

import dev.lychgate.config.ActiveHealthConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.GrpcHealthConfig;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Loop;
import dev.lychgate.origin.Connector;
import dev.lychgate.origin.Destination;
import dev.lychgate.upstream.EndpointState.Health;
import dev.lychgate.upstream.UpstreamState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the health checks of one endpoint one after the other, on one event loop. The time between the starts of two
 * checks is the interval minus a random time, which spreads the checks of many endpoints and gateways. A check that
 * takes longer than the interval delays the next check.
 */
final class EndpointCheck extends Deadline {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointCheck.class);

    private final Loop loop;
    private final Connector connector;
    private final String upstream;
    private final EndpointAddress endpoint;
    private final Destination destination;
    private final String host;
    private final ActiveHealthConfig config;
    private final UpstreamState state;
    private final RiseFall results;
    private @Nullable Probe probe;
    private long began;
    private boolean stopped;

    /**
     * Creates the checks of one endpoint. The method {@link #start} starts them.
     *
     * @param host the value of the header Host in check requests
     */
    EndpointCheck(
            Loop loop,
            Connector connector,
            String upstream,
            Destination destination,
            String host,
            ActiveHealthConfig config,
            UpstreamState state) {
        this.loop = loop;
        this.connector = connector;
        this.upstream = upstream;
        this.endpoint = destination.address();
        this.destination = destination;
        this.host = host;
        this.config = config;
        this.state = state;
        this.results = new RiseFall(config.rise(), config.fall());
    }

    /** Starts the checks of the endpoint. Thread-safe. */
    void start() {
        loop.eventLoop().execute(this::check);
    }

    /** Stops the checks, and sets the health of the endpoint to unknown. Thread-safe. */
    void stop() {
        loop.eventLoop().execute(() -> {
            stopped = true;
            loop.deadlines().remove(this);
            Probe underWay = probe;
            if (underWay != null) {
                underWay.cancel();
            }
            state.health(endpoint, Health.UNKNOWN);
        });
    }

    @Override
    protected void onDeadline() {
        check();
    }

    private void check() {
        if (stopped) {
            return;
        }
        Probe next = new Probe(loop, config.timeout(), inquiry(), this::onResult);
        probe = next;
        began = loop.nanoTime();
        next.begin(connector, where());
    }

    private @Nullable Inquiry inquiry() {
        GrpcHealthConfig grpc = config.grpc();
        if (grpc != null) {
            return new GrpcInquiry(grpc.service(), host, config.timeout());
        }
        return config.path() == null ? null : new HttpInquiry(config, host);
    }

    private Destination where() {
        Destination to = config.port() == 0 ? destination : destination.withPort(config.port());
        // The connector rejects endpoints that negotiate only HTTP/1.1.
        return config.grpc() == null ? to : to.speaking(UpstreamProtocol.H2);
    }

    private void onResult(@Nullable String fault) {
        probe = null;
        boolean first = !results.isKnown();
        if (results.add(fault == null)) {
            if (fault != null) {
                LOG.warn("upstream {}: endpoint {} is unhealthy: {}", upstream, endpoint, fault);
            } else {
                state.health(endpoint, Health.HEALTHY);
                if (!first) {
                    LOG.info("upstream {}: endpoint {} is healthy again", upstream, endpoint);
                }
            }
        }
        if (fault != null && !results.isHealthy()) {
            // Updates the reason on each failed check, because the reason may have changed.
            state.unhealthy(endpoint, fault);
        }
        double earlier = config.jitter().fraction() * loop.random().nextDouble();
        long wait = (long) (config.interval().toNanos() * (1 - earlier)) - (loop.nanoTime() - began);
        loop.deadlines().arm(this, Math.max(0, wait));
    }
}
