package dev.lychgate.server.reload;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lychgate.Lychgate;
import dev.lychgate.server.admin.Generations.Outcome;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** A gateway of a file and a filter directory, which are read when a test reloads them. */
final class FilterDirectoryGateway implements AutoCloseable {
    /** Events that filters added by {@code Events.add}. */
    final List<String> events = new CopyOnWriteArrayList<>();

    private final Path home;
    private final ScriptedOrigin origin;
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.lychgate");
    private final FileGateway<Lychgate> files;

    FilterDirectoryGateway(Path home, ScriptedOrigin origin, String routeFilters, String... filters) throws Exception {
        this.home = home;
        this.origin = origin;
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        logger.addAppender(lines);
        System.getProperties().put("filter.events", events);
        configure(routeFilters);
        write(
                "lib/Events.groovy",
                "class Events { static void add(String event) { ((List) System.properties['filter.events']).add(event) } }");
        write(filters);
        this.files = FileGateway.start(home.resolve("gateway.yml"), name -> null, Lychgate::start);
    }

    /** Configures a second listener with TLS if there is a certificate. */
    void configure(String routeFilters) throws Exception {
        String tls = Files.exists(home.resolve("site.pem"))
                ? ", { name: tls, address: \"127.0.0.1:0\", tls: { certificates: [{ chain: site.pem, key: site.key }] } }"
                : "";
        Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }%s]
                watch: off
                filters: { directory: filters }
                routes:
                  - { id: a, match: { path: "/a/**" }, filters: [%s], upstream: origin }
                  - { id: socket, match: { path: "/socket" }, websocket: true, upstream: origin }
                  - { id: all, upstream: origin }
                upstreams: { origin: { endpoints: ["http://127.0.0.1:%d"] } }
                admin: { address: "127.0.0.1:0" }
                """.formatted(tls, routeFilters, origin.port()));
    }

    /** @param filters path, text, path, text and so on */
    void write(String... filters) throws Exception {
        for (int i = 0; i < filters.length; i += 2) {
            Path file = home.resolve("filters").resolve(filters[i]);
            Files.createDirectories(file.getParent());
            Files.writeString(file, filters[i + 1]);
        }
    }

    void delete(String filter) throws Exception {
        Files.delete(home.resolve("filters").resolve(filter));
    }

    Outcome reload(String... filters) throws Exception {
        write(filters);
        return files.reloader().reload("test");
    }

    Outcome rollback(long number) {
        return files.reloader().rollback(number);
    }

    long generation() {
        return files.gateway().generation().number();
    }

    InetSocketAddress address() {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), files.gateway().port("main"));
    }

    RawClient client() throws IOException {
        return RawClient.connect(address());
    }

    RawMessage get(String path) throws Exception {
        try (RawClient client = client()) {
            return client.get(path);
        }
    }

    String admin(String path) throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), files.gateway().adminPort()))) {
            return client.send("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    .readResponse()
                    .body();
        }
    }

    List<String> warnings() {
        return lines.list.stream()
                .filter(line -> line.getLevel().equals(Level.WARN))
                .filter(line -> line.getLoggerName().startsWith("dev.lychgate.filters"))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    List<String> logged() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    void stop() {
        files.gateway().close();
        files.close();
    }

    @Override
    public void close() throws IOException {
        stop();
        logger.detachAppender(lines);
        System.getProperties().remove("filter.events");
        origin.close();
    }
}
