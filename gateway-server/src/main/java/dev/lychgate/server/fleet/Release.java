package dev.lychgate.server.fleet;

import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetNames;
import dev.lychgate.fleet.FleetStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A verified archive of a release: the signed manifest, followed by the contents of the files in the order of the
 * manifest. The archive is not compressed, so a reader needs no more memory and disk space than the size that the
 * manifest states.
 */
public final class Release {
    /** The maximum size of an archive, in bytes. */
    public static final int LARGEST = FleetStore.LARGEST_ARCHIVE;
    /** The maximum size of a signed manifest, in bytes. */
    private static final int LARGEST_MANIFEST = LARGEST - (int) ReleaseManifest.LARGEST;

    private final ReleaseManifest manifest;
    private final String digest;
    private final byte[] archive;
    private final int contents;

    private Release(ReleaseManifest manifest, String digest, byte[] archive, int contents) {
        this.manifest = manifest;
        this.digest = digest;
        this.archive = archive;
        this.contents = contents;
    }

    /**
     * Signs a release.
     *
     * @param contents the content of each file, by its path
     * @throws FleetException if the manifest is refused
     */
    static Release sign(ReleaseManifest manifest, Map<String, byte[]> contents, SigningKey key) throws FleetException {
        byte[] text = manifest.text();
        ReleaseManifest.parse(text);
        byte[] signed = SignedText.sign(text, key);
        ByteArrayOutputStream all = new ByteArrayOutputStream(signed.length + (int) manifest.size());
        all.writeBytes(signed);
        for (ReleaseFile file : manifest.files()) {
            byte[] content = contents.get(file.path());
            if (content == null || !ReleaseManifest.digest(content).equals(file.sha256())) {
                throw FleetException.refused("the content of '" + file.path() + "' does not match the manifest");
            }
            all.writeBytes(content);
        }
        return new Release(manifest, ReleaseManifest.digest(text), all.toByteArray(), signed.length);
    }

    /**
     * Verifies an archive: its signature, its name, its space, and the size and digest of each file.
     *
     * @param archive the bytes of the archive, which the caller must not modify afterwards
     * @param digest the name by which the archive was requested
     * @throws FleetException if the archive is refused
     */
    public static Release verify(byte[] archive, String digest, String space, TrustedKeys keys) throws FleetException {
        String what = "release " + shortened(digest);
        if (archive.length > LARGEST) {
            throw FleetException.refused(what + ": larger than " + LARGEST + " bytes");
        }
        SignedText signed = SignedText.at(what, archive, LARGEST_MANIFEST);
        byte[] text = signed.verified(what, keys);
        if (!ReleaseManifest.digest(text).equals(digest)) {
            throw FleetException.refused(what + ": the digest of its manifest differs from its name");
        }
        ReleaseManifest manifest = ReleaseManifest.parse(text);
        if (!manifest.space().equals(space)) {
            throw FleetException.refused(what + ": made for the space " + manifest.space() + ", not for " + space);
        }
        Release release = new Release(manifest, digest, archive, signed.length());
        release.checkContents(what);
        return release;
    }

    private void checkContents(String what) throws FleetException {
        long rest = (long) archive.length - contents;
        if (rest != manifest.size()) {
            throw FleetException.refused(
                    what + (rest < manifest.size() ? ": truncated" : ": bytes follow the last file"));
        }
        int at = contents;
        for (ReleaseFile file : manifest.files()) {
            int end = at + (int) file.size();
            if (!ReleaseManifest.digest(Arrays.copyOfRange(archive, at, end)).equals(file.sha256())) {
                throw FleetException.refused(what + ": the content of '" + file.path() + "' is corrupted");
            }
            at = end;
        }
    }

    /** Returns the first digits of a digest, for messages. */
    public static String shortened(String digest) {
        return FleetNames.shortened(digest);
    }

    public ReleaseManifest manifest() {
        return manifest;
    }

    /** Returns the name of the release: the SHA-256 of its manifest, in hexadecimal. */
    public String digest() {
        return digest;
    }

    /** Returns the bytes of the archive, which the caller must not modify. */
    public byte[] archive() {
        return archive;
    }

    /** Returns the content of a file. */
    public byte[] content(String path) throws FleetException {
        int at = contents;
        for (ReleaseFile file : manifest.files()) {
            int end = at + (int) file.size();
            if (file.path().equals(path)) {
                return Arrays.copyOfRange(archive, at, end);
            }
            at = end;
        }
        throw new FleetException(FleetException.Kind.MISSING, "the release has no file '" + path + "'");
    }

    /**
     * Writes the files into a new directory. Every file is on the disk when this method returns.
     *
     * @param directory a directory that does not exist yet, in a directory that exists
     */
    void extract(Path directory) throws IOException {
        Files.createDirectory(directory);
        int at = contents;
        for (ReleaseFile file : manifest.files()) {
            Path target = directory.resolve(file.path());
            List<String> segments = List.of(file.path().split("/"));
            Path parent = directory;
            for (String segment : segments.subList(0, segments.size() - 1)) {
                parent = parent.resolve(segment);
                if (!Files.isDirectory(parent)) {
                    Files.createDirectory(parent);
                }
            }
            try (FileChannel out = FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer content = ByteBuffer.wrap(archive, at, (int) file.size());
                while (content.hasRemaining()) {
                    out.write(content);
                }
                out.force(true);
            }
            at += (int) file.size();
        }
    }
}
