package dev.lychgate.server.fleet;

import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetNames;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of a node: the last good releases, the highest epoch, and the files of the active release. If the
 * process is killed during a change, the directory names either the previous or the new active release. Used by one
 * thread at a time; blocks.
 */
final class NodeState {
    private static final Logger LOG = LoggerFactory.getLogger(NodeState.class);
    /** The maximum number of good releases that the directory keeps. */
    private static final int MOST_GOOD = 5;

    private static final int LARGEST_TEXT = 4 << 10;

    private final Path directory;
    private final Path archives;
    private final Path trees;
    private final Path active;
    /** The releases that this process has extracted. Files that earlier processes have extracted are not trusted. */
    private final Set<String> extracted = new HashSet<>();

    NodeState(Path directory) throws IOException {
        this.directory = directory.toAbsolutePath();
        this.archives = this.directory.resolve("archives");
        this.trees = this.directory.resolve("releases");
        this.active = this.directory.resolve("active");
        FilterDirectory.createForUser(archives);
        FilterDirectory.createForUser(trees);
    }

    /** Returns the name of the node. The first call creates a name and stores it in the directory. */
    String node() throws IOException, FleetException {
        String kept = text("node");
        if (!kept.isEmpty()) {
            return FleetNames.name("node", kept);
        }
        byte[] random = new byte[4];
        new SecureRandom().nextBytes(random);
        String host = InetAddress.getLocalHost()
                .getHostName()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9-]+.*", "");
        String prefix =
                host.isEmpty() || host.startsWith("-") ? "node" : host.substring(0, Math.min(40, host.length()));
        String name = prefix + "-" + HexFormat.of().formatHex(random);
        replace(directory.resolve("node"), (name + "\n").getBytes(StandardCharsets.UTF_8));
        return name;
    }

    private static void replace(Path file, byte[] content) throws IOException {
        Files.createDirectories(file.resolveSibling(""));
        StoredFiles.replace(file, content);
    }

    private String text(String name) throws IOException, FleetException {
        try {
            return new String(StoredFiles.read(directory.resolve(name), LARGEST_TEXT), StandardCharsets.UTF_8).strip();
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    /**
     * Accepts a head, unless it is older than a head that was accepted before.
     *
     * @param signed the verified bytes of the head
     * @throws FleetException if the head is a replay, or a second head of the same epoch
     */
    void accept(FleetHead head, byte[] signed) throws FleetException, IOException {
        String digest = ReleaseManifest.digest(signed);
        String[] last = text("epoch").split(" ", 2);
        long highest = last[0].isEmpty() ? 0 : FleetText.number("epoch in " + directory.resolve("epoch"), last[0]);
        if (head.epoch() < highest) {
            throw FleetException.refused("the head is a replay of an old head: its epoch is " + head.epoch()
                    + ", but this node has verified epoch " + highest);
        }
        if (head.epoch() == highest) {
            if (last.length == 2 && last[1].equals(digest)) {
                return;
            }
            throw FleetException.refused(
                    "this node has verified another head of epoch " + highest + ": the history of the space is split");
        }
        replace(directory.resolve("epoch"), (head.epoch() + " " + digest + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the digests of the good releases, the newest first. */
    List<String> good() throws IOException {
        List<String> good = new ArrayList<>();
        try {
            for (String line : text("good").split("\n", -1)) {
                if (!line.isEmpty()) {
                    good.add(FleetNames.digest(line));
                }
            }
        } catch (FleetException e) {
            LOG.error(
                    "fleet: {} is malformed: {}; using only the good releases before the malformed line",
                    directory.resolve("good"),
                    e.reason());
        }
        return good;
    }

    /**
     * Verifies a kept release again, and returns it.
     *
     * @throws FleetException if the kept archive is missing or refused
     */
    Release kept(String digest, String space, TrustedKeys keys) throws IOException, FleetException {
        byte[] archive;
        try {
            archive = StoredFiles.read(archives.resolve(FleetNames.digest(digest)), Release.LARGEST);
        } catch (NoSuchFileException e) {
            throw new FleetException(
                    FleetException.Kind.MISSING, "this node does not keep release " + Release.shortened(digest), e);
        }
        return Release.verify(archive, digest, space, keys);
    }

    void keep(Release release) throws IOException, FleetException {
        Path file = archives.resolve(release.digest());
        if (!StoredFiles.has(file, release.archive())) {
            replace(file, release.archive());
        }
    }

    /** Writes the files of a release, and returns their directory. */
    Path extract(Release release) throws IOException {
        Path tree = trees.resolve(release.digest());
        if (extracted.contains(release.digest()) && Files.isDirectory(tree)) {
            return tree;
        }
        StoredFiles.deleteTree(tree);
        Path next = trees.resolve(StoredFiles.temporaryName());
        release.extract(next);
        Files.move(next, tree, StandardCopyOption.ATOMIC_MOVE);
        extracted.add(release.digest());
        return tree;
    }

    /**
     * Makes a release active. The configuration of the node includes the files of the active release.
     *
     * @param digest an extracted release; null for none
     * @return the release that was active before; null if there was none
     */
    @Nullable
    String activate(@Nullable String digest) throws IOException {
        String before = active();
        if (digest == null) {
            Files.deleteIfExists(active);
            return before;
        }
        Path next = directory.resolve(StoredFiles.temporaryName());
        Files.createSymbolicLink(next, Path.of(String.valueOf(trees.getFileName()), digest));
        Files.move(next, active, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        StoredFiles.sync(directory);
        return before;
    }

    /** Returns the active release; null if there is none. */
    @Nullable
    String active() {
        try {
            return String.valueOf(Files.readSymbolicLink(active).getFileName());
        } catch (IOException e) {
            return null;
        }
    }

    /**
     * Records that the release in force serves requests, and deletes all other releases except the last good releases
     * and {@code inUse}. Must not be called for the release of a canary, because a start without the store would then
     * use this release.
     *
     * @param inUse further releases that are not deleted, such as the releases that the head names
     */
    void served(String digest, Set<String> inUse) throws IOException {
        List<String> good = new ArrayList<>(good());
        boolean recorded = !good.isEmpty() && good.get(0).equals(digest);
        good.remove(digest);
        good.add(0, digest);
        List<String> newest = good.subList(0, Math.min(MOST_GOOD, good.size()));
        if (!recorded) {
            replace(directory.resolve("good"), (String.join("\n", newest) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        Set<String> kept = new HashSet<>(newest);
        kept.addAll(inUse);
        prune(kept);
    }

    private void prune(Set<String> kept) throws IOException {
        for (Path directory : List.of(archives, trees)) {
            for (Path each : StoredFiles.children(directory)) {
                String name = String.valueOf(each.getFileName());
                if (!kept.contains(name)) {
                    StoredFiles.deleteTree(each);
                    extracted.remove(name);
                }
            }
        }
    }
}
