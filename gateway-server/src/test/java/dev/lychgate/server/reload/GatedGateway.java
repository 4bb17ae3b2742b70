package dev.lychgate.server.reload;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lychgate.Lychgate;
import dev.lychgate.server.admin.Generations.Outcome;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** A gateway with a gate, which reads its files when a test reloads them. */
final class GatedGateway implements AutoCloseable {
    static final String STAMP = "outbound/Stamp.groovy";
    static final String STAMP_TEST = "outbound/StampTest.groovy";

    /** In code of filters and tests, adds a class to {@link #classes}. */
    static final String COUNTED = "((Set) System.properties['gate.classes']).add";

    /** Classes that are still in memory. */
    private final Set<Class<?>> classes = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private final Path home;
    private final ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("origin")));
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.lychgate");
    private FileGateway<Lychgate> files;

    /**
     * @param gate the mapping under {@code gate}.
     * @param filters path, text, path, text and so on
     */
    GatedGateway(Path home, String gate, String... filters) throws Exception {
        this.home = home;
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        System.getProperties().put("gate.classes", classes);
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
        configure(gate);
        stamp(1);
        write(filters);
        this.files = started();
    }

    private FileGateway<Lychgate> started() throws Exception {
        return FileGateway.start(config(), name -> null, Lychgate::start);
    }

    Path config() {
        return home.resolve("gateway.yml");
    }

    void configure(String gate, String... more) throws Exception {
        Files.writeString(config(), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                watch: off
                gate: { %s }
                filters: { directory: filters }
                routes: [{ id: all, match: { path: "/**" }, upstream: origin }]
                upstreams: { origin: { endpoints: ["http://127.0.0.1:%d"] } }
                admin: { address: "127.0.0.1:0" }
                %s
                """.formatted(gate, origin.port(), String.join("\n", more)));
    }

    /** Writes a filter that adds a stamp to responses. */
    void stamp(int value) throws Exception {
        write(STAMP, "filter { it.response.headers['x-stamp'] = '" + value + "' }");
    }

    /** Writes a test of that filter. */
    void test(String... body) throws Exception {
        write(STAMP_TEST, "test('the stamp') {\n" + String.join("\n", body) + "\n}\n");
    }

    void write(String... all) throws Exception {
        for (int i = 0; i < all.length; i += 2) {
            Path file = home.resolve("filters").resolve(all[i]);
            Files.createDirectories(file.getParent());
            Files.writeString(file, all[i + 1]);
        }
    }

    Outcome reload() {
        return files.reloader().reload("test");
    }

    /**
     * Reloads files that are refused.
     *
     * @return the faults
     */
    List<String> refused() {
        return ((Outcome.Refused) reload()).faults();
    }

    FileGateway<Lychgate> files() {
        return files;
    }

    String admin() {
        return "127.0.0.1:" + files.gateway().adminPort();
    }

    /** Returns the stamp of a response: the filter in force. */
    String served() throws Exception {
        return response().value("x-stamp").orElse("none");
    }

    RawMessage response() throws Exception {
        try (RawClient client = connect(files.gateway().port("main"))) {
            return client.get("/");
        }
    }

    RawMessage ask(String method, String target) throws Exception {
        try (RawClient client = connect(files.gateway().adminPort())) {
            return client.send(method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\nx-lychgate-admin: test\r\n"
                            + "Content-Length: 0\r\n\r\n")
                    .readResponse();
        }
    }

    JsonValue json(String method, String target) throws Exception {
        return JsonValue.of(ask(method, target).body());
    }

    private static RawClient connect(int port) throws Exception {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    List<String> logged() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** Waits until at most {@code most} classes are in memory, and triggers collections. */
    int classes(int most) throws InterruptedException {
        for (int i = 0; i < 1500 && classes.size() > most; i++) {
            System.gc();
            Thread.sleep(20);
        }
        return classes.size();
    }

    void restart() throws Exception {
        stop();
        files = started();
    }

    private void stop() {
        files.gateway().close();
        files.close();
    }

    @Override
    public void close() {
        stop();
        logger.detachAppender(lines);
        logger.setLevel(null);
        System.getProperties().remove("gate.classes");
        origin.close();
    }
}
