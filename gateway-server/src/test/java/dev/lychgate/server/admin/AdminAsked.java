package dev.lychgate.server.admin;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.slf4j.LoggerFactory;

/** An admin listener with a fake gateway, and its clients. */
abstract class AdminAsked {
    static final String TOKEN = "correct-horse-battery";
    static final AdminConfig LOCAL = new AdminConfig(new BindAddress("127.0.0.1", 0));
    static final Duration LONG = Duration.ofSeconds(30);
    static final Duration SHORT = Duration.ofMillis(20);

    final FakeSource source = new FakeSource();
    final List<AutoCloseable> open = new ArrayList<>();
    final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

    final Logger audit = (Logger) LoggerFactory.getLogger("lychgate.audit");

    @AfterEach
    void close() throws Exception {
        audit.setLevel(null);
        root.detachAppender(lines);
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    <T extends AutoCloseable> T closing(T one) {
        open.add(0, one);
        return one;
    }

    void listen() {
        // Threads of the listener may log while a test reads the lines.
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        root.addAppender(lines);
        audit.setLevel(Level.INFO);
    }

    List<String> said() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    AdminServer start(AdminConfig config, Duration lateness) {
        return closing(AdminServer.start(config, source, new AdminServer.Times(LONG, lateness), AdminPages::new));
    }

    AdminServer guarded() {
        return start(LOCAL.withToken(TOKEN), SHORT);
    }

    static RawMessage ask(AdminServer server, String request) throws IOException {
        int port = server.address().getPort();
        try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            return client.send(request + "\r\n\r\n").readResponse();
        }
    }

    static String get(String path, String... fields) {
        return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:8081"
                + (fields.length == 0 ? "" : "\r\n" + String.join("\r\n", fields));
    }

    static String post(String path, String... fields) {
        return "POST" + get(path, fields).substring("GET".length()) + "\r\nContent-Length: 0";
    }

    static String bearer(String token) {
        return "Authorization: Bearer " + token;
    }
}
