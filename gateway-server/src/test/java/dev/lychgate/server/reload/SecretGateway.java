package dev.lychgate.server.reload;

import dev.lychgate.Lychgate;
import dev.lychgate.config.HistoryConfig;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.server.history.Entry;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A gateway whose configuration refers to secrets in files, and that watches all of them. */
final class SecretGateway implements AutoCloseable {
    static final String OPERATOR = "planted-operator-token-1";

    final Path home;
    final Map<String, String> environment = new HashMap<>();
    private @Nullable FileGateway<Lychgate> files;

    SecretGateway(Path home) throws Exception {
        this.home = home;
        secret("operator", OPERATOR);
    }

    /** Replaces a secret in one step. */
    void secret(String name, String text) throws IOException {
        Path file = home.resolve("secrets").resolve(name);
        Files.createDirectories(file.getParent());
        Path next = file.resolveSibling("." + name + ".new");
        Files.writeString(next, text);
        Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-------"));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    void configure(String further) throws Exception {
        RolloutFixture.write(config(), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                admin: { address: "127.0.0.1:0", token: "${file:secrets/operator}" }
                access-log: { format: off }
                history: { generations: 10 }
                %s
                """.formatted(further));
    }

    Path config() {
        return home.resolve("gateway.yml");
    }

    SecretGateway start() throws Exception {
        files = FileGateway.start(config(), environment::get, Lychgate::start);
        return this;
    }

    FileGateway<Lychgate> files() {
        FileGateway<Lychgate> running = files;
        if (running == null) {
            throw new AssertionError("not started");
        }
        return running;
    }

    long generation() {
        return files().gateway().generation().number();
    }

    private static RawMessage send(int port, String request) throws IOException {
        try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            return client.send(request).readResponse();
        }
    }

    RawMessage get(String target, String... fields) throws Exception {
        return send(
                files().gateway().port("main"),
                "GET " + target + " HTTP/1.1\r\nHost: a\r\n" + String.join("\r\n", fields)
                        + (fields.length == 0 ? "" : "\r\n") + "\r\n");
    }

    String stamp() throws Exception {
        return get("/").value("x-stamp").orElse("none");
    }

    RawMessage admin(String token, String request) throws Exception {
        return send(
                files().gateway().adminPort(),
                request + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nAuthorization: Bearer " + token
                        + "\r\n\r\n");
    }

    String page(String target) throws Exception {
        return admin(OPERATOR, "GET " + target).body();
    }

    String command(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--admin", "127.0.0.1:" + files().gateway().adminPort(), "--token", OPERATOR));
        return Commands.run(new DataPlaneEngine(), all.toArray(String[]::new));
    }

    List<Entry> entries() throws Exception {
        return ChangeHistory.read(history(), new ChangeHistory.Query(Long.MAX_VALUE, 1000, null, null));
    }

    Path history() {
        return ChangeHistory.file(config(), HistoryConfig.DEFAULT);
    }

    /** Returns the content of all files that the gateway has written beside its configuration. */
    String written() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> tree = Files.walk(home.resolve(".lychgate"))) {
            tree.filter(Files::isRegularFile).forEach(file -> {
                try {
                    all.append(file).append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return all.toString();
    }

    @Override
    public void close() {
        FileGateway<Lychgate> running = files;
        if (running != null) {
            running.gateway().close();
            running.close();
            files = null;
        }
    }
}
