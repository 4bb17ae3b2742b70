package dev.lychgate.server.discovery;

import dev.lychgate.discovery.EndpointSource;
import dev.lychgate.upstream.SourceQuestion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads endpoints from files in a directory, one file for each service. The source polls the files five times a second.
 * Polling also detects changed links, replaced files, and changes on network file systems.
 *
 * <p>A changed file is read after two consecutive polls have found the same size and modification time. Therefore, a
 * partially written file is rarely read.
 */
final class FileSource implements EndpointSource {
    private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(200);
    /** The number of polls after which the source reports that an unchanged set of endpoints is still valid. */
    private static final int CONFIRMED = 25;

    private static final int LARGEST = 16 << 20;

    private final Path directory;
    private final SourceThread thread;
    private final Set<ServiceFile> watches = ConcurrentHashMap.newKeySet();

    FileSource(String name, Path directory) {
        this.directory = directory;
        this.thread = new SourceThread(name);
    }

    @Override
    public Watch watch(SourceQuestion question, Listener listener) {
        String service = question.service();
        ServiceFile watch = new ServiceFile(directory.resolve(service + ".json"), service, listener);
        watches.add(watch);
        thread.execute(watch);
        return watch;
    }

    @Override
    public void close() {
        watches.forEach(ServiceFile::close);
        thread.close();
    }

    /** Identifies a version of a file by its time, its size and the file key of the file system. */
    private record Stamp(
            FileTime modified, long size, @Nullable Object file) {
        static @Nullable Stamp of(Path file) {
            try {
                BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
                return new Stamp(now.lastModifiedTime(), now.size(), now.fileKey());
            } catch (IOException e) {
                return null;
            }
        }
    }

    /** The watch of one file. Except for {@link #close}, only the thread of the source uses it. */
    private final class ServiceFile implements Watch, Runnable {
        private final Path file;
        private final String service;
        private final Listener listener;
        private boolean started;
        private boolean failed;
        private int polls;
        private @Nullable Stamp read;
        private @Nullable Stamp seen;
        private volatile boolean closed;

        ServiceFile(Path file, String service, Listener listener) {
            this.file = file;
            this.service = service;
            this.listener = listener;
        }

        @Override
        public void run() {
            if (closed) {
                return;
            }
            Stamp now = Stamp.of(file);
            boolean settled = now != null && now.equals(seen);
            seen = now;
            if (!started || now == null || (settled && (failed || !now.equals(read)))) {
                started = true;
                read(now);
            } else if (!failed && now.equals(read) && ++polls % CONFIRMED == 0) {
                listener.confirmed();
            }
            thread.later(this, INTERVAL);
        }

        private void read(@Nullable Stamp stamp) {
            read = stamp;
            try (InputStream in = Files.newInputStream(file)) {
                byte[] bytes = in.readNBytes(LARGEST + 1);
                if (bytes.length > LARGEST) {
                    throw new UnusableReportException("the file is larger than 16 MiB");
                }
                listener.found(EndpointFile.read(new String(bytes, StandardCharsets.UTF_8), service));
                failed = false;
            } catch (IOException e) {
                failed = true;
                listener.failed(file + ": " + reason(e));
            }
        }

        private static String reason(IOException e) {
            if (e instanceof NoSuchFileException) {
                return "the file does not exist";
            }
            return e instanceof AccessDeniedException ? "access denied" : String.valueOf(e.getMessage());
        }

        @Override
        public void close() {
            closed = true;
            watches.remove(this);
        }
    }
}
