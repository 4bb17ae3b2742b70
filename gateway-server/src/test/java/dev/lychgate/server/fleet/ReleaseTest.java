package dev.lychgate.server.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Releases: their format, and the archives that each reader refuses. */
class ReleaseTest extends FleetHome {
    private static final String EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    private String verify(byte[] archive, String digest) {
        return refusal(() -> Release.verify(archive, digest, SPACE, trusted));
    }

    /** Verifies a manifest that is signed, so that only its content can be the reason of a refusal. */
    private String signed(String files) {
        String text = "lychgate-release 1\nspace prod\nauthor alice\ncreated 2026-01-02T03:04:05Z\nmessage x\n" + files;
        return verify(archive(text, ""), ReleaseManifest.digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String file(String path) {
        return "file " + EMPTY + " 0 " + path + "\n";
    }

    @Test
    void namesAReleaseByItsManifest() throws Exception {
        Release release = release("routes: []\n");
        String text = """
                lychgate-release 1
                space prod
                author alice
                created 2026-01-02T03:04:05Z
                message a change
                file %s 10 filters/inbound/A.groovy
                file %s 11 gateway.yml
                """.formatted(
                        ReleaseManifest.digest("class A {}".getBytes(StandardCharsets.UTF_8)),
                        ReleaseManifest.digest("routes: []\n".getBytes(StandardCharsets.UTF_8)));

        assertThat(new String(release.archive(), StandardCharsets.UTF_8))
                .startsWith(text + "signature ")
                .endsWith("\nclass A {}routes: []\n");
        assertThat(release.digest()).isEqualTo(ReleaseManifest.digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void extractsTheFilesThatWereSigned() throws Exception {
        Release signed = ReleaseSource.sign(
                directory(Map.of("gateway.yml", "a: 1\n", "filters/inbound/A.groovy", "class A {}", ".hidden", "x")),
                SPACE,
                "alice",
                NOW,
                "a change",
                key);
        Path target = home.resolve("extracted");
        Release.verify(signed.archive(), signed.digest(), SPACE, trusted).extract(target);

        try (Stream<Path> all = Files.walk(target)) {
            assertThat(all.filter(Files::isRegularFile)
                            .map(file -> target.relativize(file).toString()))
                    .containsExactlyInAnyOrder("gateway.yml", "filters/inbound/A.groovy");
        }
        assertThat(target.resolve("gateway.yml")).hasContent("a: 1\n");
    }

    @Test
    void theSameFilesHaveTheSameDigest() throws Exception {
        assertThat(release("a").digest())
                .isEqualTo(release("a").digest())
                .isNotEqualTo(release("b").digest());
    }

    @Test
    void refusesAReleaseOfAnUntrustedKey() throws Exception {
        Map<String, String> files = Map.of("gateway.yml", "a");
        Release other = Release.sign(manifest(files), bytes(files), otherKey());

        assertThat(verify(other.archive(), other.digest())).endsWith("no trusted key has signed it");
    }

    @Test
    void refusesAnArchiveWithoutSignature() throws Exception {
        Release release = release("a");
        byte[] text = release.manifest().text();

        assertThat(verify(text, release.digest())).endsWith(": not signed");
        assertThat(verify(new byte[0], release.digest())).endsWith(": not signed");
        assertThat(verify(new byte[5 << 20], release.digest())).contains("no signature in the first");
    }

    @Test
    void refusesEveryTruncation() throws Exception {
        Release release = release("routes: []\n");
        byte[] archive = release.archive();
        for (int length = 0; length < archive.length; length++) {
            assertThat(verify(Arrays.copyOf(archive, length), release.digest()))
                    .as("%d of %d bytes", length, archive.length)
                    .startsWith("REFUSED: ");
        }
    }

    @Test
    void refusesEveryChangedByte() throws Exception {
        Release release = release("routes: []\n");
        Random random = new Random(26);
        for (int i = 0; i < release.archive().length; i++) {
            byte[] changed = release.archive().clone();
            changed[i] ^= (byte) (1 + random.nextInt(255));
            assertThat(verify(changed, release.digest())).as("byte %d", i).startsWith("REFUSED: ");
        }
    }

    @Test
    void refusesBytesAfterTheLastFile() throws Exception {
        Release release = release("a");
        byte[] longer = concat(release.archive(), new byte[] {'x'});

        assertThat(verify(longer, release.digest())).endsWith(": bytes follow the last file");
    }

    @Test
    void refusesAnotherReleaseUnderTheSameName() throws Exception {
        assertThat(verify(release("a").archive(), release("b").digest()))
                .endsWith(": the digest of its manifest differs from its name");
    }

    @Test
    void refusesAReleaseOfAnotherSpace() throws Exception {
        Release release = release("a");

        assertThat(refusal(() -> Release.verify(release.archive(), release.digest(), "test", trusted)))
                .endsWith(": made for the space prod, not for test");
    }

    @Test
    void refusesASignedHeadInPlaceOfARelease() throws Exception {
        byte[] head = FleetHead.first(SPACE, "alice", NOW).sign(key);
        byte[] text = FleetHead.first(SPACE, "alice", NOW).text();

        assertThat(verify(head, ReleaseManifest.digest(text))).endsWith("the first line is not 'lychgate-release 1'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../gateway.yml",
                "/etc/passwd",
                "a/../../b",
                "a//b",
                "a/",
                ".hidden",
                "a/.git/config",
                "a\\b",
                "C:x",
                "a b",
                "\u00e4",
                "a\u0000b",
                "-",
                "1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17"
            })
    void refusesAPathThatIsNotAPlainName(String path) {
        assertThat(signed(file(path) + file("gateway.yml"))).startsWith("REFUSED: a path is refused: '");
    }

    @Test
    void refusesALongPath() {
        assertThat(signed(file("a".repeat(201)) + file("gateway.yml"))).startsWith("REFUSED: a path is refused: 'aaa");
    }

    @Test
    void refusesPathsThatCollide() {
        assertThat(signed(file("gateway.yml") + file("gateway.yml")))
                .isEqualTo("REFUSED: a path is duplicate or out of order: 'gateway.yml'");
        assertThat(signed(file("gateway.yml") + file("a")))
                .isEqualTo("REFUSED: a path is duplicate or out of order: 'a'");
        assertThat(signed(file("Gateway.yml") + file("gateway.yml")))
                .isEqualTo("REFUSED: two paths differ only in case: 'gateway.yml'");
        assertThat(signed(file("a") + file("a/b") + file("gateway.yml")))
                .isEqualTo("REFUSED: a path names both a file and a directory: 'a'");
        assertThat(signed(file("a"))).isEqualTo("REFUSED: the release has no gateway.yml");
    }

    @ParameterizedTest
    @CsvSource({
        "67108865, the files of the release exceed 64 MiB",
        "9223372036854775807, the files of the release exceed 64 MiB",
        "9223372036854775808, the size of a file is not a number",
        "-1, the size of a file is not a number",
        "01, the size of a file is not a number",
        "+1, the size of a file is not a number"
    })
    void refusesSizesThatExceedTheLimitWithoutReadingTheContent(String size, String reason) {
        assertThat(signed("file " + EMPTY + " " + size + " gateway.yml\n")).isEqualTo("REFUSED: " + reason);
        assertThat(signed("file " + EMPTY + " " + size + " a\n" + "file " + EMPTY + " " + size + " gateway.yml\n"))
                .isEqualTo("REFUSED: " + reason);
    }

    @Test
    void refusesTooManyFiles() {
        StringBuilder files = new StringBuilder();
        for (int i = 0; i <= 10_000; i++) {
            files.append(file("f%05d".formatted(i)));
        }
        assertThat(signed(files + file("gateway.yml"))).isEqualTo("REFUSED: the release has more than 10000 files");
    }

    @Test
    void refusesUnknownLinesAndOtherSpellings() {
        assertThat(signed(file("gateway.yml") + "link a b\n")).endsWith("line 7 is unknown or out of order");
        assertThat(signed("file " + EMPTY + "\n")).endsWith("a file is malformed");
        assertThat(signed(file("gateway.yml").replace(EMPTY, EMPTY.toUpperCase(Locale.ROOT))))
                .startsWith("REFUSED: a digest is malformed");
        Map<String, String> spellings = new LinkedHashMap<>();
        spellings.put("created 2026-01-02T03:04:05.000Z", "the text is not in its canonical form");
        spellings.put("created yesterday", "a time is malformed");
        spellings.put("author \u001b[2J", "the author contains unprintable characters, or begins or ends with a space");
        spellings.put("author " + "a".repeat(201), "the author is longer than 200 characters");
        spellings.put("space ..", "the space is malformed");
        spellings.forEach((line, reason) -> {
            String name = line.substring(0, line.indexOf(' '));
            String text = ("lychgate-release 1\nspace prod\nauthor alice\ncreated 2026-01-02T03:04:05Z\nmessage x\n"
                            + file("gateway.yml"))
                    .replaceFirst("(?m)^" + name + " .*$", line);
            assertThat(verify(archive(text, ""), ReleaseManifest.digest(text.getBytes(StandardCharsets.UTF_8))))
                    .as(line)
                    .contains(reason);
        });
    }

    private String source(Path directory) {
        return refusal(() -> ReleaseSource.sign(directory, SPACE, "alice", NOW, "", key));
    }

    @Test
    void neverSignsLinksAndPrivateKeys() throws Exception {
        Path link = directory(Map.of("gateway.yml", "a"));
        Files.createSymbolicLink(link.resolve("passwd"), Path.of("/etc/passwd"));
        Path linked = directory(Map.of("gateway.yml", "a"));
        Files.createSymbolicLink(linked.resolve("etc"), Path.of("/etc"));

        assertThat(source(link)).isEqualTo("REFUSED: 'passwd' is a symbolic link or a special file");
        assertThat(source(linked)).isEqualTo("REFUSED: 'etc' is a symbolic link or a special file");
        assertThat(source(directory(Map.of(
                        "gateway.yml", "a", "tls/key.pem", "-----BEGIN " + "PRIVATE KEY-----\nMC4CAQ\n-----END"))))
                .startsWith("REFUSED: 'tls/key.pem' contains a private key");
        assertThat(source(directory(Map.of("other.yml", "a")))).isEqualTo("REFUSED: the release has no gateway.yml");
    }

    @Test
    void neverSignsMoreThanTheLimit() throws Exception {
        Path directory = directory(Map.of("gateway.yml", "a"));
        try (var file =
                FileChannel.open(directory.resolve("large"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[1]), ReleaseManifest.LARGEST);
        }
        assertThat(source(directory)).isEqualTo("REFUSED: the files exceed 64 MiB");
    }

    @Test
    void readsOnlyKeysOfTheCurve() throws Exception {
        Path file = home.resolve("key");
        for (String content : new String[] {"", "x", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"}) {
            Files.writeString(file, content);
            assertThat(refusal(() -> TrustedKeys.read(List.of(file.toString()))))
                    .endsWith("contains no public key of the curve Ed25519 in PEM form");
            assertThat(refusal(() -> SigningKey.read(file)))
                    .endsWith("contains no private key of the curve Ed25519 in PEM form");
        }
        assertThat(refusal(() -> SigningKey.read(home.resolve("missing")))).contains("can't be read");
    }
}
