package dev.lychgate.gateway;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.listener.ListenerCounters;
import dev.lychgate.pool.CloseReason;
import dev.lychgate.pool.PoolCounters;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A gateway that runs for one test, and the events of its observer. */
final class Running implements AutoCloseable {
    private final Gateway gateway;
    private final Outcomes outcomes;

    private Running(Gateway gateway, Outcomes outcomes) {
        this.gateway = gateway;
        this.outcomes = outcomes;
    }

    static Running start(GatewayConfig config, FilterSet filters) {
        Outcomes outcomes = new Outcomes();
        return new Running(Gateway.start(config, filters, outcomes), outcomes);
    }

    Gateway gateway() {
        return gateway;
    }

    /** A new client connection. */
    RawClient client() throws IOException {
        return RawClient.connect(gateway.address("main"));
    }

    /** A new HTTP/2 client connection with these initial settings: ids and values. */
    Http2Client http2(int... settings) throws IOException {
        return Http2Client.connect(gateway.address("main"), settings);
    }

    ListenerCounters counters() {
        return gateway.listeners().get(0).counters();
    }

    /** The result of the next exchange that ends. */
    Outcome nextOutcome() throws InterruptedException {
        return outcomes.next();
    }

    /** Whether an ended exchange has not been read yet. */
    boolean hasMoreOutcomes() {
        return outcomes.hasMore();
    }

    /** The result of the next copy that ends. */
    Outcomes.Copy nextCopy() throws InterruptedException {
        return outcomes.nextCopy();
    }

    /** Whether an ended copy has not been read yet. */
    boolean hasMoreCopies() {
        return outcomes.hasMoreCopies();
    }

    /** The pools' counters, all of them added up. */
    PoolCounters pools() throws Exception {
        return gateway.poolCounters().get(10, TimeUnit.SECONDS).values().stream()
                .reduce(PoolCounters.ZERO, PoolCounters::plus);
    }

    long closedConnections(CloseReason reason) throws Exception {
        return pools().closed().getOrDefault(reason, 0L);
    }

    int drain(Duration within) {
        return gateway.drain(within);
    }

    @Override
    public void close() {
        gateway.close();
    }
}
