package dev.lychgate.server.reload;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** Forces files and directories to the disk, so that they survive a power failure. */
final class OnDisk {
    private OnDisk() {}

    /** Waits until the content of a file, or the entries of a directory, are on the disk. */
    static void force(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // Some operating systems cannot open directories. Their file systems write directory entries in order.
            if (!Files.isDirectory(path)) {
                throw e;
            }
        }
    }

    /** Waits until all files and directories of a tree are on the disk. */
    static void forceTree(Path root) throws IOException {
        List<Path> all;
        try (Stream<Path> tree = Files.walk(root)) {
            all = tree.toList();
        }
        for (Path each : all) {
            force(each);
        }
    }
}
