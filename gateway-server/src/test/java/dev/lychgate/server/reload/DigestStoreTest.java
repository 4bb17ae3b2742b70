package dev.lychgate.server.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The kept files: their bounds, and contents that are not what their digests state. */
class DigestStoreTest {
    @TempDir
    Path home = Path.of("");

    private DigestStore store = new DigestStore(home);

    @BeforeEach
    void create() {
        store = new DigestStore(home.resolve("kept"));
    }

    /**
     * Keeps a generation of files with these contents.
     *
     * @return the digest of its list
     */
    private String keep(String... contents) throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        for (String content : contents) {
            files.put("inbound/" + files.size(), store.put(content.getBytes(StandardCharsets.UTF_8)));
        }
        return store.putList(new KeptList("gateway.yml", Map.of(), Map.of(), "", files, Map.of()));
    }

    private List<String> names(String directory) throws IOException {
        try (Stream<Path> all = Files.list(home.resolve("kept").resolve(directory))) {
            return all.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void theOldestGenerationsAreDeletedWithTheFilesThatNoOtherHas() throws Exception {
        List<String> lists = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            lists.add(keep("of all", "only of " + i));
            store.prune(3, 1 << 20);
        }
        assertThat(names("lists")).containsExactlyInAnyOrderElementsOf(lists.subList(2, 5));
        assertThat(names("files")).hasSize(4);
    }

    @Test
    void aGenerationThatIsKeptAgainIsTheNewest() throws Exception {
        String first = keep("1");
        String second = keep("2");
        assertThat(keep("1")).isEqualTo(first);
        String third = keep("3");
        store.prune(2, 1 << 20);
        assertThat(names("lists")).containsExactlyInAnyOrder(first, third).doesNotContain(second);
    }

    @Test
    @Timeout(60)
    void aNamedPipeInThePlaceOfAContentIsRefusedAsAChangedOne() throws Exception {
        String list = keep("one");
        String digest = store.list(list).digests().findFirst().orElseThrow();
        Path file = home.resolve("kept/files").resolve(digest);
        Files.delete(file);
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        assertThatThrownBy(() -> store.get(digest))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was changed");
        assertThatThrownBy(() -> store.restore(digest, store.emptyTree(list, Set.of()), "inbound/0"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was changed");
        assertThat(keep("one")).as("the content is kept again").isEqualTo(list);
        assertThat(store.get(digest)).asString().isEqualTo("one");

        Files.delete(home.resolve("kept/lists").resolve(list));
        assertThat(new ProcessBuilder(
                                "mkfifo",
                                home.resolve("kept/lists").resolve(list).toString())
                        .start()
                        .waitFor())
                .isZero();
        store.prune(3, 1 << 20);
        assertThat(names("lists")).as("a list that is none").isEmpty();
    }

    @Test
    void aLinkInThePlaceOfAContentIsRefused() throws Exception {
        String list = keep("one");
        String digest = store.list(list).digests().findFirst().orElseThrow();
        Path file = home.resolve("kept/files").resolve(digest);
        Path elsewhere = Files.move(file, home.resolve("elsewhere"));
        Files.createSymbolicLink(file, elsewhere);
        assertThatThrownBy(() -> store.get(digest)).isInstanceOf(IOException.class);
    }

    @Test
    void theBoundOfTheSizeNeverDeletesTheNewest() throws Exception {
        keep("x".repeat(1000));
        String newest = keep("y".repeat(1000));
        store.prune(10, 500);
        assertThat(names("lists")).containsExactly(newest);
        assertThat(names("files")).hasSize(1);
    }

    @Test
    void aDamagedListIsDeletedAndTheOthersRemain() throws Exception {
        String damaged = keep("1");
        String whole = keep("2");
        Files.writeString(home.resolve("kept/lists").resolve(damaged), "{");
        store.prune(10, 1 << 20);
        assertThat(names("lists")).containsExactly(whole);
        assertThat(names("files")).hasSize(1);
    }

    @Test
    void contentsThatWereChangedOrDeletedAreNotRestored() throws Exception {
        String digest = store.put("content".getBytes(StandardCharsets.UTF_8));
        Path tree = store.emptyTree(digest, Set.of());
        store.restore(digest, tree, "inbound/a.groovy");
        assertThat(tree.resolve("inbound/a.groovy")).hasContent("content");

        Files.writeString(home.resolve("kept/files").resolve(digest), "CONTENT");
        assertThatThrownBy(() -> store.get(digest)).hasMessageContaining("was changed");
        assertThatThrownBy(() -> store.restore(digest, tree, "b")).hasMessageContaining("was changed");
        Files.delete(home.resolve("kept/files").resolve(digest));
        assertThatThrownBy(() -> store.get(digest)).hasMessageContaining("is no longer kept");
        assertThatThrownBy(() -> store.restore(digest, tree, "c")).hasMessageContaining("is no longer kept");
    }

    @Test
    void noPathAndNoDigestLeadsOutOfTheStore() throws Exception {
        String digest = store.put("content".getBytes(StandardCharsets.UTF_8));
        Path tree = store.emptyTree(digest, Set.of());
        Files.writeString(home.resolve("secret"), "secret");
        for (String path : List.of("../x", "a/../../x", "/tmp/lychgate-x", "..")) {
            assertThatThrownBy(() -> store.restore(digest, tree, path)).hasMessageContaining("leads out");
        }
        for (String bad :
                List.of("", "..", "../../secret", digest + "/../" + digest, digest.toUpperCase(Locale.ROOT))) {
            assertThatThrownBy(() -> store.get(bad)).hasMessageContaining("malformed");
            assertThatThrownBy(() -> store.list(bad)).hasMessageContaining("malformed");
            assertThatThrownBy(() -> store.emptyTree(bad, Set.of())).hasMessageContaining("malformed");
        }
        assertThat(home.resolve("secret")).hasContent("secret");
    }

    @Test
    void restoredTreesThatNoGenerationUsesAreDeleted() throws Exception {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            String digest = store.put(("content " + i).getBytes(StandardCharsets.UTF_8));
            names.add(digest);
            store.restore(digest, store.emptyTree(digest, Set.of(names.get(0))), "inbound/a.groovy");
        }
        assertThat(names("restored")).containsExactlyInAnyOrder(names.get(0), names.get(2));
    }

    @Test
    void aFileThatHasChangedSinceItWasReadIsNotKept() throws Exception {
        Path jar = Files.writeString(home.resolve("a.jar"), "content");
        String digest = store.put("content".getBytes(StandardCharsets.UTF_8));
        String other = digest.replace(digest.charAt(0), digest.charAt(0) == '0' ? '1' : '0');
        store.putFile(jar, digest);
        assertThatThrownBy(() -> store.putFile(jar, other)).hasMessageContaining("has changed");
        assertThat(names("files")).containsExactly(digest);
    }

    @Test
    void aPartThatACrashLeftIsReplaced() throws Exception {
        keep("1");
        Files.writeString(home.resolve("kept/files/new"), "part");
        Files.writeString(home.resolve("kept/lists/new"), "part");
        keep("2");
        store.prune(10, 1 << 20);
        assertThat(names("files")).hasSize(2).doesNotContain("new");
        assertThat(names("lists")).hasSize(2).doesNotContain("new");
    }
}
