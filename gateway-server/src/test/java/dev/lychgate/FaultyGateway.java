package dev.lychgate;

import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** A gateway with the five problems of docs/debugging.md, each of which starts on request. */
final class FaultyGateway implements AutoCloseable {
    /** {@link #slow} waits for this before it responds. */
    final Gate gate = new Gate();

    final ScriptedOrigin broken =
            ScriptedOrigin.start().onConnection(c -> c.answerEvery(r -> Responses.of(500, "broken")));
    final ScriptedOrigin slow = ScriptedOrigin.start()
            .onConnection(c -> c.answerEvery((request, connection) -> {
                connection.stallUntil(gate);
                connection.send(Responses.ok("at last"));
            }));
    private final ScriptedOrigin well =
            ScriptedOrigin.start().onConnection(c -> c.answerEvery(r -> Responses.ok("well")));
    private final FileGateway<Lychgate> files;

    private FaultyGateway(Path home) throws Exception {
        Path filter = home.resolve("filters/inbound/ponder.groovy");
        Files.createDirectories(filter.getParent());
        Files.writeString(filter, """
                filter {
                    if (it.request.path.startsWith('/ponder')) {
                        long end = System.nanoTime() + 60_000_000
                        while (System.nanoTime() < end) { }
                    }
                }
                """);
        Files.writeString(home.resolve("gateway.yml"), """
                workers: 1
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                admin: { address: "127.0.0.1:0" }
                recorder: { slow: 50ms, log: false }
                filters: { directory: filters, guard: { after: 20ms } }
                routes:
                  - { id: beta, match: { path: "/shop/**", headers: { x-beta: "yes" } }, upstream: api }
                  - { id: api, match: { path: "/**" }, upstream: api }
                  - { id: reports, match: { path: "/reports/**" }, upstream: reports }
                upstreams:
                  api: { endpoints: ["http://127.0.0.1:%d", "http://127.0.0.1:%d"], balance: { algorithm: round-robin } }
                  reports: { endpoints: ["http://127.0.0.1:%d"], pool: { connections: 1 } }
                access-log: { format: off }
                """.formatted(well.port(), broken.port(), slow.port()));
        files = FileGateway.start(home.resolve("gateway.yml"), name -> null, Lychgate::start);
    }

    /** @param home an empty directory, for its files */
    static FaultyGateway start(Path home) throws Exception {
        return new FaultyGateway(home);
    }

    Lychgate gateway() {
        return files.gateway();
    }

    static RawClient to(int port) throws IOException {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    void ask(String path, int times) throws Exception {
        try (RawClient client = to(gateway().port("main"))) {
            for (int i = 0; i < times; i++) {
                client.get(path);
            }
        }
    }

    /** Sends one request, on a separate thread. */
    Thread aside(String path) {
        Thread thread = new Thread(() -> {
            try {
                ask(path, 1);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        return thread;
    }

    @Override
    public void close() {
        gate.open();
        gateway().close();
        files.close();
        well.close();
        broken.close();
        slow.close();
    }
}
