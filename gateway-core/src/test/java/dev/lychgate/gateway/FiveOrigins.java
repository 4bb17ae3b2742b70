package dev.lychgate.gateway;

import dev.lychgate.config.Algorithm;
import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.testing.RefusingPort;
import dev.lychgate.testing.RequestScript;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.upstream.EndpointState;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Five origins on real sockets, numbered from 0. Each responds with its number after a few milliseconds, so that requests
 * overlap. A test can change the behavior of each one, and can stop and restart it: a stopped one refuses connections.
 */
final class FiveOrigins implements AutoCloseable {
    static final int COUNT = 5;

    /** The duration of a response: simulated work without waiting. */
    static final int MILLIS = 3;

    private final RefusingPort[] ports = new RefusingPort[COUNT];
    private final @Nullable ScriptedOrigin[] origins = new ScriptedOrigin[COUNT];
    private final AtomicReferenceArray<RequestScript> scripts = new AtomicReferenceArray<>(COUNT);
    private final AtomicIntegerArray seen = new AtomicIntegerArray(COUNT);

    FiveOrigins() throws IOException {
        for (int i = 0; i < COUNT; i++) {
            ports[i] = new RefusingPort();
            recover(i);
            rise(i);
        }
    }

    /** Restores the initial behavior. */
    void recover(int number) {
        works(number, MILLIS);
    }

    /** Responds with its number after this number of milliseconds. */
    void works(int number, int millis) {
        does(number, (r, c) -> {
            Thread.sleep(millis);
            c.send(Responses.ok(Integer.toString(number)));
        });
    }

    /** Does this with every request from now on. */
    void does(int number, RequestScript script) {
        scripts.set(number, script);
    }

    /** Closes its connections and refuses new ones. */
    void die(int number) {
        ScriptedOrigin origin = origins[number];
        if (origin != null) {
            origins[number] = null;
            origin.close();
        }
    }

    void dieAll() {
        for (int i = 0; i < COUNT; i++) {
            die(i);
        }
    }

    /** Accepts connections (again). */
    void rise(int number) {
        origins[number] = ScriptedOrigin.startAt(
                ports[number],
                c -> c.answerEvery((request, connection) -> {
                    seen.incrementAndGet(number);
                    Objects.requireNonNull(scripts.get(number)).respond(request, connection);
                }));
    }

    /** The number of requests that it has read, over all restarts. */
    int seen(int number) {
        return seen.get(number);
    }

    int seenByAll() {
        int all = 0;
        for (int i = 0; i < COUNT; i++) {
            all += seen(i);
        }
        return all;
    }

    /** The gateway's state of this endpoint. */
    EndpointState state(Running gateway, int number) {
        return state(gateway, ports[number].address());
    }

    /** The gateway's state of another endpoint. */
    EndpointState state(Running gateway, InetSocketAddress endpoint) {
        return Objects.requireNonNull(gateway.gateway().generation().upstream("origin"))
                .state()
                .of(new EndpointAddress("127.0.0.1", endpoint.getPort()));
    }

    /** All five, with the default balancing. */
    UpstreamConfig upstream() {
        return upstream(BalanceConfig.DEFAULT);
    }

    UpstreamConfig upstream(Algorithm algorithm) {
        return upstream(BalanceConfig.of(algorithm));
    }

    UpstreamConfig upstream(BalanceConfig balance) {
        return upstreamWith(0, ports[0].address(), balance);
    }

    /** All five, but for one that is somewhere else. */
    UpstreamConfig upstreamWith(int number, InetSocketAddress elsewhere, BalanceConfig balance) {
        EndpointConfig[] endpoints = new EndpointConfig[COUNT];
        for (int i = 0; i < COUNT; i++) {
            int port = i == number ? elsewhere.getPort() : ports[i].address().getPort();
            endpoints[i] = new EndpointConfig("127.0.0.1", port);
        }
        return UpstreamConfig.of("origin", endpoints).withBalance(balance);
    }

    @Override
    public void close() throws IOException {
        dieAll();
        for (RefusingPort port : ports) {
            port.close();
        }
    }
}
