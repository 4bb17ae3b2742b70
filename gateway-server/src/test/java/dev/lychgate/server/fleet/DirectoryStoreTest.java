package dev.lychgate.server.fleet;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetStore;
import dev.lychgate.fleet.FleetStoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The store in a directory, with the files that a hostile or a dying process leaves there. */
@Tag("slow")
class DirectoryStoreTest extends FleetStoreContract {
    private Path directory;

    @BeforeEach
    void createDirectory() throws IOException {
        directory = Files.createDirectory(home.resolve("store"));
    }

    @Override
    protected FleetStore connect() {
        return new DirectoryStore(directory, SPACE);
    }

    private Path place(String name) {
        return directory.resolve(SPACE).resolve(name);
    }

    @Test
    void aMissingMountIsNotAnEmptyStore() throws Exception {
        FleetStore store = new DirectoryStore(home.resolve("unmounted"), SPACE);
        List<String> events = new CopyOnWriteArrayList<>();
        store.watchHead(new FleetStore.HeadListener() {
            @Override
            public void head(FleetStore.StoredHead head) {
                events.add("head");
            }

            @Override
            public void unavailable(FleetException reason) {
                events.add(reason.kind().name());
            }
        });
        assertThat(refusal(() -> get(store.head()))).startsWith("UNAVAILABLE: ");
        assertThat(refusal(() -> get(store.compareAndSetHead(0, bytes("x"))))).startsWith("UNAVAILABLE: ");
        assertThat(refusal(() -> get(store.report("a", bytes("x"))))).startsWith("UNAVAILABLE: ");
        assertThat(home.resolve("unmounted")).doesNotExist();
        eventually(() -> assertThat(events).contains("UNAVAILABLE").doesNotContain("head"));
        store.close();
    }

    @Test
    void repairsADamagedArchiveWhenItIsPushedAgain() throws Exception {
        byte[] archive = bytes("archive");
        String digest = ReleaseManifest.digest(archive);
        FleetStore store = store();
        get(store.putArchive(digest, archive));
        Files.write(place("releases/" + digest), new byte[archive.length]);
        assertThat(get(store.archive(digest))).isNotEqualTo(archive);

        get(store.putArchive(digest, archive));
        assertThat(get(store.archive(digest))).isEqualTo(archive);
    }

    @Test
    void refusesLinksAndLargeFiles() throws Exception {
        FleetStore store = store();
        get(store.putArchive("a".repeat(64), bytes("a")));
        Files.createSymbolicLink(place("releases/" + "b".repeat(64)), Path.of("/etc/passwd"));
        Files.createDirectory(place("releases/" + "c".repeat(64)));
        Files.createDirectories(place("heads"));
        Files.write(place("heads/" + "0".repeat(18) + "1"), new byte[9000]);

        assertThat(refusal(() -> get(store.archive("b".repeat(64))))).endsWith("is not a regular file");
        assertThat(refusal(() -> get(store.archive("c".repeat(64))))).endsWith("is not a regular file");
        assertThat(refusal(() -> get(store.head()))).startsWith("REFUSED: ").endsWith("is larger than 8192 bytes");
    }

    @Test
    void removesOnlyAbandonedTemporaryFiles() throws Exception {
        DirectoryStore store = new DirectoryStore(directory, SPACE);
        get(store.compareAndSetHead(0, bytes("1")));
        Path abandoned = Files.writeString(place("heads/.new-1"), "x");
        Path fresh = Files.writeString(place("heads/.new-2"), "x");
        Files.setLastModifiedTime(abandoned, FileTime.from(Instant.now().minusSeconds(4000)));

        assertThat(get(store.removeAbandoned())).isEqualTo(1);
        assertThat(abandoned).doesNotExist();
        assertThat(fresh).exists();
        assertThat(get(store.head())).isPresent();
        store.close();
    }

    /** Kills writers at random points. Each head and each archive that is visible afterwards is complete. */
    @Test
    void aKilledWriterLeavesOnlyCompleteObjects() throws Exception {
        Random random = new Random(26);
        long epoch = 0;
        int killed = 0;
        int rounds = 0;
        // At least one writer must be killed in the middle of a write.
        for (; rounds < 20 || (unfinished("releases") == 0 && rounds < 200); rounds++) {
            Process writer = new ProcessBuilder(
                            ProcessHandle.current().info().command().orElse("java"),
                            "-XX:TieredStopAtLevel=1",
                            "-Xshare:auto",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Writer.class.getName(),
                            directory.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(home.resolve("writer.log").toFile())
                    .start();
            long before = epoch;
            eventually(() -> assertThat(newest()).isGreaterThan(before + 1));
            TimeUnit.MICROSECONDS.sleep(random.nextInt(30_000));
            killed += writer.destroyForcibly().waitFor() == 137 ? 1 : 0;
            epoch = newest();
            for (long each = before + 1; each <= epoch; each++) {
                assertThat(Files.readString(place("heads/%019d".formatted(each))))
                        .isEqualTo(Writer.head(each));
            }
            try (Stream<Path> archives = Files.list(place("releases"))) {
                for (Path archive : archives.toList()) {
                    String name = archive.getFileName().toString();
                    if (!name.startsWith(".")) {
                        assertThat(ReleaseManifest.digest(Files.readAllBytes(archive)))
                                .isEqualTo(name);
                    }
                }
            }
        }
        assertThat(killed).isEqualTo(rounds);
        assertThat(unfinished("releases")).isGreaterThan(0);
        get(store().compareAndSetHead(epoch, bytes("after the kills")));
        assertThat(newest()).isEqualTo(epoch + 1);
    }

    private long unfinished(String name) throws IOException {
        try (Stream<Path> files = Files.list(place(name))) {
            return files.filter(file -> file.getFileName().toString().startsWith(StoredFiles.TEMPORARY))
                    .count();
        }
    }

    private long newest() throws Exception {
        FleetStore store = connect();
        try {
            Optional<FleetStore.StoredHead> head = get(store.head());
            return head.map(FleetStore.StoredHead::epoch).orElse(0L);
        } finally {
            store.close();
        }
    }

    /** Writes archives and heads until the process is killed. */
    static final class Writer {
        private Writer() {}

        static String head(long epoch) {
            return ("head " + epoch + "\n").repeat(300);
        }

        public static void main(String[] args) throws Exception {
            DirectoryStore store = new DirectoryStore(Path.of(args[0]), SPACE);
            byte[] archive = new byte[200_000];
            Random random = new Random();
            while (true) {
                long epoch =
                        store.head().get().map(FleetStore.StoredHead::epoch).orElse(0L);
                random.nextBytes(archive);
                store.putArchive(ReleaseManifest.digest(archive), archive).get();
                store.compareAndSetHead(epoch, bytes(head(epoch + 1))).get();
            }
        }
    }
}
