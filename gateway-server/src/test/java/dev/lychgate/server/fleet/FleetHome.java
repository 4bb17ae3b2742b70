package dev.lychgate.server.fleet;

import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetStoreContract;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A pair of keys, and releases that are signed with it. */
abstract class FleetHome {
    static final String SPACE = "prod";
    static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @TempDir
    Path home = Path.of("");

    SigningKey key;
    TrustedKeys trusted;

    @BeforeEach
    final void createKeys() throws Exception {
        SigningKey.create(home.resolve("release.key"), home.resolve("release.pub"));
        key = SigningKey.read(home.resolve("release.key"));
        trusted = TrustedKeys.read(List.of(home.resolve("release.pub").toString()));
    }

    /** Returns a key that no node trusts. */
    final SigningKey otherKey() throws Exception {
        Path file = home.resolve("other-" + System.nanoTime());
        SigningKey.create(file, file.resolveSibling(file.getFileName() + ".pub"));
        return SigningKey.read(file);
    }

    final Release release(String text) throws Exception {
        return release(Map.of(ReleaseManifest.MAIN, text, "filters/inbound/A.groovy", "class A {}"));
    }

    final Release release(Map<String, String> files) throws Exception {
        return Release.sign(manifest(files), bytes(files), key);
    }

    static ReleaseManifest manifest(Map<String, String> files) throws FleetException {
        List<ReleaseFile> listed = new ArrayList<>();
        for (Map.Entry<String, byte[]> file : bytes(files).entrySet()) {
            listed.add(new ReleaseFile(file.getKey(), file.getValue().length, ReleaseManifest.digest(file.getValue())));
        }
        return new ReleaseManifest(SPACE, "alice", NOW, "a change", listed);
    }

    static Map<String, byte[]> bytes(Map<String, String> files) {
        Map<String, byte[]> bytes = new TreeMap<>();
        files.forEach((path, text) -> bytes.put(path, text.getBytes(StandardCharsets.UTF_8)));
        return bytes;
    }

    /** Returns a signed text followed by contents, to test the checks after the signature. */
    final byte[] archive(String manifest, String contents) {
        byte[] signed = SignedText.sign(manifest.getBytes(StandardCharsets.UTF_8), key);
        return concat(signed, contents.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] concat(byte[] one, byte[] other) {
        byte[] all = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, all, one.length, other.length);
        return all;
    }

    static String refusal(ThrowingCallable call) {
        return FleetStoreContract.refusal(call);
    }

    final Path directory(Map<String, String> files) throws Exception {
        Path directory = Files.createTempDirectory(home, "source");
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path target = directory.resolve(file.getKey());
            Files.createDirectories(target.resolveSibling(""));
            Files.writeString(target, file.getValue());
        }
        return directory;
    }
}
