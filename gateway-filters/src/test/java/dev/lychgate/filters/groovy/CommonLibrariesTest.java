package dev.lychgate.filters.groovy;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lettuce, Jackson databind and Nimbus JOSE+JWT in {@code ext/}, over many reloads. */
@Tag("slow")
@Tag("each-jdk")
class CommonLibrariesTest {
    private static final Path JARS = Path.of("target/libraries");
    private static final int RELOADS = Integer.getInteger("lychgate.reloads", 50);

    private final Path filters;
    private final Path ext;

    CommonLibrariesTest(@TempDir Path root) throws IOException {
        filters = Files.createDirectories(root.resolve("filters"));
        ext = Files.createDirectories(root.resolve("ext"));
        try (Stream<Path> jars = Files.list(JARS)) {
            for (Path jar : jars.toList()) {
                Files.copy(jar, ext.resolve(jar.getFileName()));
            }
        }
        for (String version : List.of("1", "2")) {
            Jars.text("acme.Shout", version).write(filters.resolve("bundles/v" + version + "/lib/shout.jar"));
            write(
                    "bundles/v" + version + "/outbound/shout" + version + ".groovy",
                    "filter { it.response.headers['x-shout" + version + "'] = acme.Shout.text() }");
        }
    }

    private void write(String path, String text) throws IOException {
        Files.createDirectories(filters.resolve(path).getParent());
        Files.writeString(filters.resolve(path), text);
    }

    private FilterSources generation(int number) throws Exception {
        write("inbound/all.groovy", """
                import com.fasterxml.jackson.databind.ObjectMapper
                import com.nimbusds.jose.JWSAlgorithm
                import com.nimbusds.jose.JWSHeader
                import com.nimbusds.jose.crypto.MACSigner
                import com.nimbusds.jose.crypto.MACVerifier
                import com.nimbusds.jwt.JWTClaimsSet
                import com.nimbusds.jwt.SignedJWT
                import io.lettuce.core.RedisURI
                import io.lettuce.core.codec.StringCodec
                import io.lettuce.core.protocol.CommandArgs
                import io.netty.buffer.Unpooled

                def mapper = new ObjectMapper()
                def secret = new byte[32]
                def uri = RedisURI.create('redis://127.0.0.1:6379/2')

                // Jackson takes a lock when it sees a type for the first time.
                blocking {
                    def order = mapper.readTree('{"number":NUMBER}').get('number').asInt()
                    def token = new SignedJWT(
                            new JWSHeader(JWSAlgorithm.HS256), new JWTClaimsSet.Builder().subject("g$order").build())
                    token.sign(new MACSigner(secret))
                    def read = SignedJWT.parse(token.serialize())
                    def buffer = Unpooled.buffer()
                    new CommandArgs<String, String>(StringCodec.UTF8).addKey('k').encode(buffer)
                    def bytes = buffer.readableBytes()
                    buffer.release()
                    it.request.headers['x-a'] = read.verify(new MACVerifier(secret))
                        ? "${read.getJWTClaimsSet().subject} ${uri.database} ${bytes}" : 'no'
                }
                """.replace("NUMBER", String.valueOf(number)));
        return new FilterDirectory(filters, ext).read();
    }

    /** Resources that a leak would exhaust. */
    private record Use(int loadedClasses, long metaspace, int threads, long descriptors) {
        static Use now(GenerationsAlive alive) throws InterruptedException {
            for (int i = 0; i < 50 && alive.count() > 3; i++) {
                System.gc();
                Thread.sleep(20);
            }
            System.gc();
            long metaspace = ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(pool -> pool.getName().contains("Metaspace"))
                    .map(MemoryPoolMXBean::getUsage)
                    .mapToLong(usage -> usage.getUsed())
                    .sum();
            return new Use(
                    ManagementFactory.getClassLoadingMXBean().getLoadedClassCount(),
                    metaspace,
                    ManagementFactory.getThreadMXBean().getThreadCount(),
                    openDescriptors());
        }

        private static long openDescriptors() {
            try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
                return open.count();
            } catch (IOException e) {
                // Available on Linux only.
                return 0;
            }
        }
    }

    @Test
    void reloadsLeaveMetaspaceThreadsAndDescriptorsFlat() throws Exception {
        GroovyFilters builder = new GroovyFilters();
        FilterSources sources = generation(0);
        assertThat(sources.libraries()).hasSize(7);
        assertThat(sources.warnings()).isEmpty();
        BuiltFilters current = builder.build(sources);
        try (GatewayWithFilters gateway = new GatewayWithFilters(current)) {
            Use warm = Use.now(builder.alive());
            for (int i = 1; i <= RELOADS; i++) {
                BuiltFilters next = builder.build(generation(i));
                gateway.apply(next.everywhere());
                current.close();
                current = next;
                assertThat(gateway.get().body()).isEqualTo("g" + i + " 2 7");
                if (i == 10) {
                    warm = Use.now(builder.alive());
                }
            }
            Use atMost = warm;
            // The gateway closes connections, and threads end, a little after a response.
            eventually(Duration.ofSeconds(30), () -> {
                Use end = Use.now(builder.alive());
                // As in GenerationsAliveTest.
                assertThat(builder.alive().count())
                        .isLessThanOrEqualTo(2 + gateway.gateway().workers());
                assertThat(end.loadedClasses()).isLessThan(atMost.loadedClasses() + 200);
                assertThat(end.metaspace()).isLessThan(atMost.metaspace() + (4 << 20));
                assertThat(end.threads()).isLessThanOrEqualTo(atMost.threads() + 2);
                assertThat(end.descriptors()).isLessThanOrEqualTo(atMost.descriptors() + 2);
            });
        }
        current.close();
    }

    @Test
    void aClientThatIsShutDownLeavesNoThread() throws Exception {
        write("inbound/redis.groovy", """
                import io.lettuce.core.RedisClient
                import java.time.Duration

                def client = RedisClient.create('redis://127.0.0.1:1')
                try {
                    name client.resources.eventExecutorGroup().submit({ Thread.currentThread().name }).get()
                } finally {
                    client.shutdown(Duration.ZERO, Duration.ofSeconds(30))
                }
                filter { }
                """);
        GroovyFilters builder = new GroovyFilters();
        try (BuiltFilters built = builder.build(new FilterDirectory(filters, ext).read())) {
            assertThat(built.filters()).extracting(GroovyFilter::name).anyMatch(name -> name.startsWith("lettuce-"));
        }
        // The shutdown completes shortly before its thread ends.
        eventually(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("lettuce-")));
    }
}
