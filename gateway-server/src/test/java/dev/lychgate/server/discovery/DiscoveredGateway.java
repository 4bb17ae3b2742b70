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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/** A gateway with the upstream {@code api}, whose endpoints a source reports, and origins that return their port. */
final class DiscoveredGateway implements AutoCloseable {
    private final List<ScriptedOrigin> origins = new ArrayList<>();
    private final FileGateway<Lychgate> gateway;
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
        List<CompletableFuture<Integer>> clients = List.of(
                CompletableFuture.supplyAsync(() -> send(ended)), CompletableFuture.supplyAsync(() -> send(ended)));
        try {
            test.check();
        } finally {
            ended.set(true);
        }
        for (CompletableFuture<Integer> client : clients) {
            assertThat(client.get()).isPositive();
        }
    }

    private int send(AtomicBoolean ended) {
        int requests = 0;
        try (RawClient client = client()) {
            while (!ended.get()) {
                assertThat(client.get("/").status()).isEqualTo(200);
                requests++;
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return requests;
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
