package dev.lychgate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.ScratchDirectory;
import dev.lychgate.testing.UnusedPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of {@code redis-server} on the loopback address. */
final class RedisServer implements AutoCloseable {
    static final String MISSING = "no redis-server is installed";

    private static final Duration START = Duration.ofSeconds(20);

    private final List<String> command;
    private final int port;
    private final ScratchDirectory directory;
    private Process process;

    private RedisServer(List<String> command, int port, ScratchDirectory directory) throws Exception {
        this.command = command;
        this.port = port;
        this.directory = directory;
        this.process = launch();
        awaitStart();
    }

    static boolean isInstalled() {
        try {
            return new ProcessBuilder("redis-server", "--version")
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Starts a server without persistence.
     *
     * @param options further ones, as in {@code --requirepass secret}
     */
    static RedisServer start(String... options) throws Exception {
        return startOn(UnusedPort.number(), options);
    }

    static RedisServer startOn(int port, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("redis-server", "--save", "", "--appendonly", "no"));
        command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
        command.addAll(List.of(options));
        return new RedisServer(command, port, ScratchDirectory.create());
    }

    /**
     * Starts a Sentinel.
     *
     * @param monitored the port of the master
     */
    static RedisServer sentinel(String name, int monitored) throws Exception {
        int port = UnusedPort.number();
        ScratchDirectory directory = ScratchDirectory.create();
        Path file = Files.writeString(directory.path().resolve("sentinel.conf"), """
                port %d
                bind 127.0.0.1
                dir %s
                sentinel monitor %s 127.0.0.1 %d 2
                sentinel down-after-milliseconds %s 500
                sentinel failover-timeout %s 3000
                """.formatted(
                        port, directory.path(), name, monitored, name, name));
        return new RedisServer(List.of("redis-server", file.toString(), "--sentinel"), port, directory);
    }

    private Process launch() throws IOException {
        return new ProcessBuilder(command)
                .directory(directory.path().toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.path().resolve("log").toFile())
                .start();
    }

    private void awaitStart() throws Exception {
        try {
            Eventually.eventually(START, () -> assertThat(call("PING")).matches("(?s)(\\+PONG|-NOAUTH|-MASTERDOWN).*"));
        } catch (Exception | AssertionError e) {
            process.destroyForcibly();
            throw e;
        }
    }

    int port() {
        return port;
    }

    /** Returns the address for the key {@code endpoints}. */
    String endpoint() {
        return "127.0.0.1:" + port;
    }

    /**
     * Sends an inline command.
     *
     * @return the beginning of the response
     */
    String call(String line) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(5_000);
            socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
            byte[] response = new byte[8_192];
            int length = socket.getInputStream().read(response);
            return new String(response, 0, Math.max(0, length), StandardCharsets.US_ASCII);
        }
    }

    /** Stops the process, which keeps its connections. */
    void freeze() throws Exception {
        signal("-STOP");
    }

    /** Continues a frozen process. */
    void thaw() throws Exception {
        signal("-CONT");
    }

    void kill() throws Exception {
        signal("-KILL");
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }

    void restart() throws Exception {
        process = launch();
        awaitStart();
    }

    private void signal(String signal) throws Exception {
        assertThat(new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            directory.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
