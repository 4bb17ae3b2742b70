package dev.lychgate.server.extensions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.FleetConfig;
import dev.lychgate.config.FleetStoreConfig;
import dev.lychgate.config.Secret;
import dev.lychgate.config.WrittenConfig;
import dev.lychgate.fleet.FleetException;
import dev.lychgate.server.fleet.FleetNode;
import dev.lychgate.server.fleet.FleetOperator;
import dev.lychgate.server.fleet.SigningKey;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.server.yaml.FaultyConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores for fleets that extensions contribute: how they are found, read and opened, and each refusal with its place. */
@Tag("slow")
class ContributedStoresTest {
    /** Keeps the heads of each space in memory. Other operations fail. */
    private static final String STORING = """
        package storing;

        import dev.lychgate.config.*;
        import dev.lychgate.extension.*;
        import dev.lychgate.fleet.*;
        import java.time.Instant;
        import java.util.*;
        import java.util.concurrent.*;

        public final class Storing implements Extension<Storing.Settings, Storing.Settings> {
            static final Map<String, List<byte[]>> HEADS = new ConcurrentHashMap<>();

            static {
                System.setProperty("NAME.loaded", "true");
            }

            public record Settings() {}

            public record Place(String place, String password, int replicas) {
                public Place {
                    if (replicas == 2) {
                        throw new ConfigException("replicas", replicas, "an odd number");
                    }
                }
            }

            private static final Key<String> PLACE = Key.text("place").required("a place").about("the place");
            private static final Key<String> PASSWORD =
                    Key.typed("password", Form.SECRET, "none").about("the password");
            private static final Key<Integer> REPLICAS = Key.number("replicas", 1).between(1, 5).about("the replicas");

            @Override
            public Keys<Settings> keys() {
                return Keys.none(Settings::new);
            }

            @Override
            public List<ContributedFilter<Settings, ?>> filters() {
                return List.of();
            }

            @Override
            public List<ContributedStore<?>> stores() {
                return List.of(new ContributedStore<>(
                        "NAME", "memory", Keys.of(Place::new, PLACE, PASSWORD, REPLICAS), Storing::open));
            }

            @Override
            public Settings open(Settings settings) {
                return settings;
            }

            private static FleetStore open(Place place, String space) {
                if (place.place().equals("nowhere")) {
                    throw new ConfigException("place", place.place(), "a place that exists");
                }
                if (place.place().equals("broken")) {
                    throw new IllegalStateException("no\\nmemory");
                }
                return new Memory(place.place() + " " + place.password() + " " + space);
            }

            record Memory(String key) implements FleetStore {
                private static <T> CompletableFuture<T> none() {
                    return CompletableFuture.failedFuture(
                            new FleetException(FleetException.Kind.UNAVAILABLE, "not in this store"));
                }

                private List<byte[]> heads() {
                    List<byte[]> heads = HEADS.get(key);
                    if (heads == null) {
                        throw new IllegalStateException("not prepared");
                    }
                    return heads;
                }

                @Override
                public CompletableFuture<Void> prepare() {
                    HEADS.putIfAbsent(key, new CopyOnWriteArrayList<>());
                    System.setProperty("NAME.place", key);
                    return CompletableFuture.completedFuture(null);
                }

                @Override
                public CompletableFuture<Void> putArchive(String digest, byte[] archive) {
                    return none();
                }

                @Override
                public CompletableFuture<byte[]> archive(String digest) {
                    return none();
                }

                @Override
                public CompletableFuture<Optional<StoredHead>> head() {
                    return head(heads().size());
                }

                @Override
                public CompletableFuture<Optional<StoredHead>> head(long epoch) {
                    return CompletableFuture.completedFuture(
                            epoch == 0 || epoch > heads().size()
                                    ? Optional.empty()
                                    : Optional.of(new StoredHead(epoch, heads().get((int) epoch - 1))));
                }

                @Override
                public CompletableFuture<Boolean> compareAndSetHead(long expected, byte[] next) {
                    boolean set = heads().size() == expected && heads().add(next);
                    return CompletableFuture.completedFuture(set);
                }

                @Override
                public AutoCloseable watchHead(HeadListener listener) {
                    return () -> {};
                }

                @Override
                public CompletableFuture<Void> report(String node, byte[] report) {
                    return none();
                }

                @Override
                public CompletableFuture<List<StoredReport>> reports() {
                    return none();
                }

                @Override
                public CompletableFuture<Instant> time() {
                    return none();
                }

                @Override
                public void close() {
                    System.setProperty("NAME.closed", key);
                }
            }
        }
        """;

    @TempDir
    Path home = Path.of("");

    private Path directory = Path.of("");

    @BeforeEach
    void install() throws Exception {
        directory = Files.createDirectories(home.resolve("extensions"));
        System.setProperty(InstalledExtensions.DIRECTORY, directory.toString());
    }

    @AfterEach
    void forget() {
        System.clearProperty(InstalledExtensions.DIRECTORY);
    }

    private static ExtensionJars storing(String name) {
        return ExtensionJars.of(name)
                .with("Lychgate-Extension-Class", "storing.Storing")
                .with("Lychgate-Extension-Stores", name)
                .compiled(Map.of("storing.Storing", STORING.replace("NAME", name)));
    }

    private static String fleet(String store) {
        return "fleet:\n  space: prod\n  trust: release.pub\n  state: state\n  store: " + store + "\n";
    }

    private FleetConfig read(String store) throws Exception {
        Path file = Files.writeString(home.resolve("node.yml"), fleet(store));
        FleetConfig read = ConfigReader.fleet(file, name -> null);
        if (read == null) {
            throw new AssertionError("no fleet");
        }
        return read;
    }

    /** Returns the faults of a section, which are the same whether it is read alone or with the whole file. */
    private String faults(String store) {
        StringBuilder alone = new StringBuilder();
        assertThatExceptionOfType(FaultyConfigException.class)
                .isThrownBy(() -> read(store))
                .satisfies(e -> alone.append(e.getMessage()));
        return alone.toString().replace(home.resolve("node.yml").toString(), "node.yml");
    }

    private static String refusal(FleetConfig config) {
        StringBuilder reason = new StringBuilder();
        assertThatExceptionOfType(FleetException.class)
                .isThrownBy(() -> FleetNode.store(config).close())
                .satisfies(e -> reason.append(e.kind()).append(": ").append(e.reason()));
        return reason.toString();
    }

    @Test
    void opensTheStoreThatTheSectionNames() throws Exception {
        storing("memory").write(directory.resolve("a.jar"));
        SigningKey.create(home.resolve("release.key"), home.resolve("release.pub"));
        FleetConfig config = read("{ memory: { place: here, password: s3cret } }");
        assertThat(config.store().contributed())
                .isEqualTo(new FilterConfig("memory", Map.of("place", "here", "password", new Secret("s3cret"))));

        FleetOperator.Signer signer =
                new FleetOperator.Signer(SigningKey.read(home.resolve("release.key")), "alice", "test");
        try (FleetOperator operator = FleetOperator.open(config)) {
            operator.init(signer);
        }
        assertThat(System.getProperty("memory.place")).isEqualTo("here s3cret prod");
        assertThat(System.getProperty("memory.closed")).isEqualTo("here s3cret prod");
        try (FleetOperator operator = FleetOperator.open(config)) {
            assertThat(operator.head().epoch()).isEqualTo(1);
        }
    }

    @Test
    void writesTheSettingsAndHidesTheirSecrets() throws Exception {
        storing("written").write(directory.resolve("a.jar"));
        Map<String, ?> section = WrittenConfig.of(read("{ written: { place: here, password: s3cret } }"));
        assertThat(section.toString())
                .contains("written={place=here, password=")
                .doesNotContain("s3cret");
    }

    @Test
    void loadsNoClassOfAnExtensionWhoseStoreIsNotUsed() throws Exception {
        storing("unused").write(directory.resolve("a.jar"));
        assertThat(read("{ directory: store }").store())
                .isEqualTo(FleetStoreConfig.ofDirectory(home.resolve("store").toString()));
        assertThat(faults("{ other: {} }")).contains("unknown store");
        assertThat(System.getProperty("unused.loaded")).isNull();
    }

    @Test
    void refusesAnUnknownStore() throws Exception {
        assertThat(faults("{ memory: { place: here } }"))
                .isEqualTo("node.yml:5:12: fleet.store.memory: unknown store (expected: one of directory, etcd;"
                        + " extensions with other stores belong in " + directory + ")");
        storing("memory").write(directory.resolve("a.jar"));
        assertThat(faults("{ memoryy: { place: here } }"))
                .isEqualTo("node.yml:5:12: fleet.store.memoryy: unknown store, did you mean 'memory'? (expected: one of"
                        + " directory, etcd, memory; extensions with other stores belong in " + directory + ")");
        assertThat(faults("{ directry: store }"))
                .contains("node.yml:5:12: fleet.store.directry: unknown key, did you mean 'directory'?");
    }

    @Test
    void refusesTwoStoresAndNone() throws Exception {
        storing("memory").write(directory.resolve("a.jar"));
        assertThat(faults("{ directory: store, memory: { place: here } }"))
                .isEqualTo("node.yml:5:30: fleet.store.memory: set together with directory (expected: exactly one of"
                        + " directory, etcd and the stores of extensions)");
        assertThat(faults("{ memory: { place: here }, directory: store }"))
                .isEqualTo("node.yml:5:37: fleet.store.directory: set together with memory (expected: exactly one of"
                        + " directory, etcd and the stores of extensions)");
        assertThat(faults("{}"))
                .isEqualTo(
                        "node.yml:5:10: fleet.store: a required key is missing (expected: exactly one of directory, etcd and the"
                                + " stores of extensions)");
    }

    @Test
    void refusesValuesWithTheirPlace() throws Exception {
        storing("memory").write(directory.resolve("a.jar"));
        assertThat(faults("{ memory: { replicas: 7, plce: x } }"))
                .contains("fleet.store.memory.place: missing (expected: a place)")
                .contains("node.yml:5:32: fleet.store.memory.replicas: 7 (expected: 1 to 5)")
                .contains("fleet.store.memory.plce: unknown key, did you mean 'place'?");
        assertThat(faults("{ memory: { place: here, replicas: 2 } }"))
                .isEqualTo("node.yml:5:45: fleet.store.memory.replicas: 2 (expected: an odd number)");
        assertThat(faults("{ memory: 7 }"))
                .isEqualTo("node.yml:5:20: fleet.store.memory: 7 (expected: a mapping of keys)");
    }

    @Test
    void refusesTwoExtensionsWithOneStore() throws Exception {
        storing("memory").write(directory.resolve("a.jar"));
        storing("memory").with("Lychgate-Extension", "other").write(directory.resolve("b.jar"));
        assertThat(faults("{ memory: { place: here } }"))
                .isEqualTo("node.yml:5:12: fleet.store.memory: two extensions have this store: "
                        + directory.resolve("a.jar") + " and " + directory.resolve("b.jar")
                        + " (expected: one extension with this store)");
    }

    @Test
    void refusesExtensionsThatCannotBeUsed() throws Exception {
        ExtensionJars.of("old")
                .with("Lychgate-Extension-Api", "2")
                .with("Lychgate-Extension-Stores", "old")
                .write(directory.resolve("a.jar"));
        ExtensionJars.sample("sample")
                .with("Lychgate-Extension-Stores", "promised")
                .write(directory.resolve("b.jar"));
        assertThat(faults("{ old: {} }"))
                .contains("fleet.store.old: extension old needs extension API 2, but this gateway has API 1");
        assertThat(faults("{ promised: {} }"))
                .contains("fleet.store.promised: extension sample has no such store, although its manifest names the"
                        + " store");
    }

    @Test
    void namesTheKeyOfAStoreThatCannotBeOpened() throws Exception {
        storing("memory").write(directory.resolve("a.jar"));
        assertThat(refusal(read("{ memory: { place: nowhere } }")))
                .isEqualTo("REFUSED: fleet.store.memory.place: nowhere (expected: a place that exists)");
        assertThat(refusal(read("{ memory: { place: broken } }")))
                .isEqualTo("REFUSED: fleet.store.memory: java.lang.IllegalStateException: no memory (expected:"
                        + " settings with which the store can be opened)");
        FleetConfig config = read("{ memory: { place: here } }");
        Files.delete(directory.resolve("a.jar"));
        assertThat(refusal(config)).startsWith("REFUSED: fleet.store.memory: unknown store (expected: ");
    }

    @Test
    void namesTheStoresOfInstalledExtensions() throws Exception {
        storing("memory").write(directory.resolve("a.jar"));
        assertThat(InstalledExtensions.scan().found())
                .extracting(InstalledExtension::stores)
                .containsExactly(List.of("memory"));
    }
}
