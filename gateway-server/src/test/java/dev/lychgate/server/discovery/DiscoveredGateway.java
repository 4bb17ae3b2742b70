package dev.lychgate.server.discovery;

import static dev.lychgate.testing.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.Lychgate;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.ConnectionScript;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.SourceStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** A gateway with the upstream {@code api}, whose endpoints a source reports, and origins that return their port. */
final class DiscoveredGateway implements AutoCloseable {
    private final List<ScriptedOrigin> origins = new ArrayList<>();
    private final FileGateway<Lychgate> gateway;
    /** The number of responses to each client of {@link #underTraffic}. */
    private volatile List<AtomicInteger> responses = List.of();

    private final List<String> failures = new CopyOnWriteArrayList<>();
    /** One permit for each request for {@code /slow} that an origin has received. */
    final Semaphore slowRequests = new Semaphore(0);
    /** One permit for each response to {@code /slow} that an origin may send. */
    final Semaphore slowResponses = new Semaphore(0);

    /**
     * @param discovery the section {@code discovery}
     * @param upstream the keys of the upstream
     */
    DiscoveredGateway(Path home, String discovery, String upstream) throws Exception {
        gateway = FileGateway.start(
                Files.writeString(home.resolve("gateway.yml"), """
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        workers: 2
                        access-log: { format: off }
                        routes: [{ id: all, upstream: api }]
                        discovery: %s
                        upstreams: { api: %s }
                        """.formatted(discovery, upstream)),
                name -> null,
                Lychgate::start);
    }

    /** Starts an origin on loopback, which returns its port, and returns that port. */
    int origin() {
        ScriptedOrigin origin = ScriptedOrigin.start();
        String port = Integer.toString(origin.port());
        ConnectionScript script = connection -> connection.answerEvery((request, c) -> {
            if (request.target().equals("/slow")) {
                slowRequests.release();
                slowResponses.acquireUninterruptibly();
            }
            c.send(Responses.ok(port));
        });
        origin.onConnection(script.untilThePeerLeaves());
        origins.add(origin);
        return origin.port();
    }

    /** Ends an origin. */
    void end(int port) {
        origins.stream().filter(each -> each.port() == port).forEach(ScriptedOrigin::close);
        origins.removeIf(each -> each.port() == port);
    }

    RawClient client() throws IOException {
        return RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway.gateway().port("main")));
    }

    /** Returns the ports of the endpoints that get requests. */
    Set<Integer> ports() throws IOException {
        Set<Integer> ports = new TreeSet<>();
        try (RawClient client = client()) {
            for (int i = 0; i < 40; i++) {
                ports.add(Integer.valueOf(client.get("/").body()));
            }
        }
        return ports;
    }

    /** Waits until exactly these ports get requests. */
    void awaitPorts(Integer... ports) throws Exception {
        eventually(() -> assertThat(ports()).containsExactlyInAnyOrder(ports));
    }

    List<Endpoint> endpoints() {
        return requireNonNull(gateway.gateway().generation().upstream("api")).endpoints();
    }

    long generation() {
        return gateway.gateway().generation().number();
    }

    SourceStatus status() {
        return gateway.gateway().gateway().sourceStatuses().get(0);
    }

    /** Runs a test while two clients send requests, and fails if a response has another status than 200. */
    void underTraffic(Eventually.Assertion test) throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        AtomicInteger first = new AtomicInteger();
        AtomicInteger second = new AtomicInteger();
        responses = List.of(first, second);
        List<Thread> clients = List.of(new Thread(() -> send(ended, first)), new Thread(() -> send(ended, second)));
        clients.forEach(Thread::start);
        try {
            test.check();
            awaitResponses();
        } finally {
            ended.set(true);
            for (Thread client : clients) {
                client.join();
            }
        }
        assertThat(failures).isEmpty();
    }

    /**
     * Waits until each client of {@link #underTraffic} has received two more responses. After that, no request to an
     * endpoint is in progress that was removed before.
     */
    void awaitResponses() throws Exception {
        for (AtomicInteger each : responses) {
            int before = each.get();
            eventually(() -> assertThat(each.get()).as("%s", failures).isGreaterThan(before + 1));
        }
    }

    private void send(AtomicBoolean ended, AtomicInteger received) {
        try (RawClient client = client()) {
            while (!ended.get()) {
                assertThat(client.get("/").status()).isEqualTo(200);
                received.incrementAndGet();
            }
        } catch (IOException | AssertionError e) {
            failures.add(e.toString());
        }
    }

    static String targets(Integer... ports) {
        return List.of(ports).stream()
                .map(port -> "\"127.0.0.1:" + port + "\"")
                .collect(Collectors.joining(", ", "[", "]"));
    }

    @Override
    public void close() {
        slowResponses.release(1000);
        gateway.gateway().close();
        gateway.close();
        origins.forEach(ScriptedOrigin::close);
    }
}
