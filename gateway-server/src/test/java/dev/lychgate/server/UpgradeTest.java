package dev.lychgate.server;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.HistoryConfig;
import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.server.history.Verification;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A gateway in a separate process is replaced by a new process, under traffic. */
@Tag("slow")
@EnabledOnOs(OS.LINUX)
class UpgradeTest {
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(2);

    @TempDir
    Path home = Path.of("");

    private Path config = home;
    private int port;
    private int adminPort;
    private final List<Thread> clients = new ArrayList<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger responses = new AtomicInteger();
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
    private final List<ProcessHandle> successors = new ArrayList<>();

    @BeforeEach
    void configure() throws Exception {
        // Open at the same time, so that they differ.
        try (ServerSocket first = new ServerSocket(0);
                ServerSocket second = new ServerSocket(0)) {
            port = first.getLocalPort();
            adminPort = second.getLocalPort();
        }
        config = Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "0.0.0.0:%d" }]
                admin: { address: "127.0.0.1:%d" }
                routes: [{ id: all, match: { path: "/**" }, respond: { body: "served" } }]
                access-log: { format: off }
                history: {}
                """.formatted(port, adminPort));
    }

    @AfterEach
    void stop() throws Exception {
        ended.set(true);
        for (Thread client : clients) {
            client.join();
        }
        for (ProcessHandle successor : successors) {
            successor.destroyForcibly();
            awaitEnd(successor);
        }
    }

    /** Waits until a process has ended, even if its parent does not collect its exit code. */
    private static void awaitEnd(ProcessHandle process) throws Exception {
        Path state = Path.of("/proc", Long.toString(process.pid()), "stat");
        eventually(LONGEST, () -> {
            boolean ended = !process.isAlive() || Files.readString(state).contains(") Z ");
            assertThat(ended).as("the end of " + process.pid()).isTrue();
        });
    }

    private RawClient connect(int to) throws IOException {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), to))
                .within(LONGEST);
    }

    private void client(Runnable requests) {
        Thread client = new Thread(() -> {
            while (!ended.get()) {
                requests.run();
                // The gateways share the CPUs with the clients.
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        });
        client.start();
        clients.add(client);
    }

    /** Sends one request on a new connection. */
    private void requestOnNewConnection() {
        try (RawClient client = connect(port)) {
            count(client.get("/"));
        } catch (IOException e) {
            failures.add("new connection: " + e);
        }
    }

    /**
     * Sends requests on one connection until the gateway closes it. A request that met the close of an idle connection
     * was not processed, so a client may repeat it (RFC 9112, section 9.3.1).
     */
    private void requestsOnOneConnection() {
        try (RawClient client = connect(port)) {
            count(client.get("/"));
            while (!ended.get()) {
                RawMessage response;
                try {
                    response = client.get("/");
                } catch (IOException e) {
                    return;
                }
                count(response);
                if (response.value("connection").orElse("").equalsIgnoreCase("close")) {
                    return;
                }
            }
        } catch (IOException e) {
            failures.add("first request of a connection: " + e);
        }
    }

    private void count(RawMessage response) {
        if (response.status() == 200 && response.body().equals("served")) {
            responses.incrementAndGet();
        } else {
            failures.add("status " + response.status());
        }
    }

    private RawMessage upgrade() throws IOException {
        try (RawClient admin = connect(adminPort)) {
            return admin.send("POST /upgrade HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n"
                            + "x-lychgate-admin: test\r\n\r\n")
                    .readResponse();
        }
    }

    /** Upgrades, and returns the new process. Tries again if the machine is too slow, or the last upgrade is not over. */
    private ProcessHandle upgraded() throws Exception {
        AtomicReference<String> body = new AtomicReference<>("");
        eventually(LONGEST, () -> {
            RawMessage response = upgrade();
            body.set(response.body());
            assertThat(response.status()).as(response.body()).isEqualTo(200);
        });
        ProcessHandle successor = ProcessHandle.of(
                        (long) JsonValue.of(Objects.requireNonNull(body.get())).number("process"))
                .orElseThrow();
        successors.add(successor);
        return successor;
    }

    private void awaitMoreResponses() throws Exception {
        int before = responses.get();
        eventually(LONGEST, () -> assertThat(responses.get()).isGreaterThan(before + 100));
    }

    @Test
    void replacesTheProcessTwiceWithoutAFailedRequest() throws Exception {
        try (ChildGateway first = ChildGateway.start(config)) {
            client(this::requestOnNewConnection);
            client(this::requestOnNewConnection);
            client(this::requestsOnOneConnection);
            awaitMoreResponses();

            ProcessHandle second = upgraded();
            assertThat(first.exitCode()).isZero();
            awaitMoreResponses();

            ProcessHandle third = upgraded();
            awaitEnd(second);
            awaitMoreResponses();
            assertThat(third.isAlive()).isTrue();
            assertThat(failures).isEmpty();
        }
        // Each process has waited until the previous one had closed the history.
        Path history = ChangeHistory.file(config, HistoryConfig.DEFAULT);
        eventually(
                LONGEST,
                () -> assertThat(ChangeHistory.read(history, new ChangeHistory.Query(Long.MAX_VALUE, 10, null, null)))
                        .extracting(entry -> entry.change().action())
                        .containsExactly("start", "stop", "upgrade", "start", "stop", "upgrade", "start"));
        assertThat(Verification.of(history, null).faults()).isEmpty();
    }

    @Test
    void continuesToServeIfTheNewProcessDoesNotServe() throws Exception {
        try (ChildGateway gateway = ChildGateway.start(config)) {
            client(this::requestOnNewConnection);
            awaitMoreResponses();
            String valid = Files.readString(config);
            Files.writeString(config, valid.replace("respond", "reply"));

            RawMessage refused = upgrade();
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.body()).contains("the new process does not serve: it has ended with the exit code 78");
            awaitMoreResponses();

            Files.writeString(config, valid);
            upgraded();
            assertThat(gateway.exitCode()).isZero();
            awaitMoreResponses();
            assertThat(failures).isEmpty();
        }
    }
}
