package dev.lychgate.server.cli;

import dev.lychgate.config.Quantity;
import dev.lychgate.server.engine.RunningGateway;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.origin.DemoOrigin;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/**
 * {@code cache}: runs a workload. The JVM then archives the classes that the workload loaded, and the profiles of the
 * methods that ran. The start script sets the JVM's options and the location of the cache.
 */
@Command(
        name = "cache",
        description = {
            "Creates a cache of classes next to the jar, for the JDK in use. bin/lychgate then uses it at each start.",
            "Works only with bin/lychgate, and without options. Recreate it after a change of the jar or the JDK."
        },
        footer = {"  lychgate cache"})
final class CacheCommand extends SubCommand {
    @Override
    public Integer call() throws Exception {
        try (Rehearsal rehearsal = Rehearsal.start(surroundings())) {
            print("sent " + Quantity.of(rehearsal.play(), "request") + " through a gateway");
        }
        return 0;
    }

    /**
     * A gateway with a configuration file, a Groovy filter and an admin listener. It forwards requests to an embedded
     * origin. All ports are free ports of the loopback address. The gateway starts, serves and drains as in production.
     */
    private static final class Rehearsal implements AutoCloseable {
        private static final int ROUNDS = 500;
        private static final int BODY = 4096;
        private static final Duration PATIENCE = Duration.ofSeconds(30);

        private static final byte[] NOTHING = {};
        private static final Pattern ANSWERED = Pattern.compile("^http/1\\.1 200 ");
        private static final Pattern FILTERED = Pattern.compile("^http/1\\.1 200 [\\s\\S]*\r\nx-rehearsed: yes\r\n");

        private static final String FILTER = "filter { it.response.headers['x-rehearsed'] = 'yes' }\n";

        private final DemoOrigin origin;
        private final Path files;
        private final RunningGateway gateway;

        private Rehearsal(DemoOrigin origin, Path files, RunningGateway gateway) {
            this.origin = origin;
            this.files = files;
            this.gateway = gateway;
        }

        static Rehearsal start(Surroundings surroundings) throws Exception {
            DemoOrigin origin = OriginCommand.start(new DemoOrigin.Settings("origin", "127.0.0.1", 0, 1));
            Path files = null;
            try {
                files = Files.createTempDirectory("lychgate-cache");
                return new Rehearsal(origin, files, gateway(surroundings, files, origin.port()));
            } catch (Exception | Error e) {
                origin.close();
                if (files != null) {
                    delete(files);
                }
                throw e;
            }
        }

        private static RunningGateway gateway(Surroundings surroundings, Path files, int origin) throws Exception {
            Path filters =
                    Files.createDirectories(files.resolve("filters/outbound")).getParent();
            Files.writeString(files.resolve("filters/outbound/rehearsed.groovy"), FILTER);
            Path file = Files.writeString(files.resolve("gateway.yml"), """
                    listeners: [{ name: main, address: "127.0.0.1:0" }]
                    routes: [{ id: all, match: { path: "/**" }, upstream: origin }]
                    upstreams: { origin: { endpoints: ["http://127.0.0.1:%d"] } }
                    admin: { address: "127.0.0.1:0" }
                    filters: { directory: "%s" }
                    """.formatted(origin, filters));
            var config = ConfigOption.of(file).load(surroundings).config();
            return surroundings.engine().start(file, surroundings.environment(), config);
        }

        /**
         * Sends requests of the most common kinds, one after the other.
         *
         * @return the number of requests
         * @throws StartException if a response is not as expected
         */
        int play() throws IOException, StartException {
            byte[] body = new byte[BODY];
            try (LoopbackConnection main = connect(gateway.listeners().get(0).address())) {
                for (int round = 0; round < ROUNDS; round++) {
                    expect(FILTERED, main.ask("GET", "/?length=" + (round * 16 + 1), NOTHING));
                    expect(FILTERED, main.ask("POST", "/upload", body));
                }
            }
            InetSocketAddress admin = gateway.admin();
            if (admin != null) {
                try (LoopbackConnection asking = connect(admin)) {
                    expect(ANSWERED, asking.ask("GET", "/ready", NOTHING));
                    expect(ANSWERED, asking.ask("GET", "/metrics", NOTHING));
                }
            }
            return 2 * ROUNDS;
        }

        private static LoopbackConnection connect(InetSocketAddress server) throws IOException {
            return new LoopbackConnection(server, (int) PATIENCE.toMillis());
        }

        private static void expect(Pattern expected, String head) throws StartException {
            if (!expected.matcher(head).find()) {
                throw new StartException("cache: unexpected response: " + head);
            }
        }

        @Override
        public void close() throws IOException {
            gateway.drain(PATIENCE);
            origin.close();
            delete(files);
        }

        private static void delete(Path directory) throws IOException {
            List<Path> all;
            try (Stream<Path> found = Files.walk(directory)) {
                all = found.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path each : all) {
                Files.deleteIfExists(each);
            }
        }
    }
}
