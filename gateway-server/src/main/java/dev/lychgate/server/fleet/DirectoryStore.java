package dev.lychgate.server.fleet;

import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetNames;
import dev.lychgate.fleet.FleetStore;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store in a directory that all nodes mount. Each object is first written to a temporary file, so readers see only
 * complete objects. A process that is killed leaves at most a temporary file.
 *
 * <p>An archive or a report is published by a rename, and a head by a hard link. Linking fails if the name exists.
 * Therefore, only one of several concurrent writers can create the head of an epoch, without a lock.
 *
 * <p>The watch polls, because file systems do not report changes that other machines make.
 */
public final class DirectoryStore implements FleetStore {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryStore.class);
    /** The interval at which a watch checks whether the head of the next epoch exists. */
    private static final Duration POLL = Duration.ofMillis(200);
    /** The number of polls after which a watch lists all heads. The list shows whether the directory was replaced. */
    private static final int LIST_EVERY = 25;
    /** A temporary file that is older than this limit is treated as left behind by a process that was killed. */
    private static final Duration ABANDONED = Duration.ofHours(1);

    private static final Duration CLOSE_WITHIN = Duration.ofMillis(500);
    private static final String EPOCH = "[0-9]{19}";

    private final Path directory;
    private final Path archives;
    private final Path heads;
    private final Path nodes;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread created = new Thread(task, "lychgate-fleet-store");
        created.setDaemon(true);
        return created;
    });

    /**
     * @param directory the directory, which must exist, so that a missing mount is not mistaken for an empty store
     * @param space a valid name of a space
     */
    public DirectoryStore(Path directory, String space) {
        this.directory = directory;
        Path place = directory.resolve(space);
        this.archives = place.resolve("releases");
        this.heads = place.resolve("heads");
        this.nodes = place.resolve("nodes");
    }

    /** An operation on files, which blocks. */
    private interface Operation<T> {
        @Nullable
        T run() throws IOException, FleetException;
    }

    private <T> CompletableFuture<T> async(Operation<T> operation) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            thread.execute(() -> {
                try {
                    result.complete(operation.run());
                } catch (FleetException e) {
                    result.completeExceptionally(e);
                } catch (IOException e) {
                    result.completeExceptionally(unavailable(e));
                } catch (RuntimeException | Error e) {
                    result.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(new FleetException(FleetException.Kind.UNAVAILABLE, "the store is closed", e));
        }
        return result;
    }

    private static FleetException unavailable(IOException e) {
        return new FleetException(
                FleetException.Kind.UNAVAILABLE,
                "the store does not respond: " + e.getClass().getSimpleName() + ": " + e.getMessage(),
                e);
    }

    @Override
    public CompletableFuture<Void> putArchive(String digest, byte[] archive) {
        return async(() -> {
            Path file = archives.resolve(FleetNames.digest(digest));
            prepare(archives);
            // A damaged file is replaced, so that pushing the release again repairs the store.
            if (!StoredFiles.has(file, archive)) {
                StoredFiles.replace(file, archive);
            }
            return null;
        });
    }

    @Override
    public CompletableFuture<byte[]> archive(String digest) {
        return async(() -> {
            try {
                return StoredFiles.read(archives.resolve(FleetNames.digest(digest)), Release.LARGEST);
            } catch (NoSuchFileException e) {
                throw new FleetException(
                        FleetException.Kind.MISSING, "the store has no release " + Release.shortened(digest), e);
            }
        });
    }

    @Override
    public CompletableFuture<Optional<StoredHead>> head() {
        return async(this::newest);
    }

    @Override
    public CompletableFuture<Optional<StoredHead>> head(long epoch) {
        return async(() -> read(epoch));
    }

    private Optional<StoredHead> newest() throws IOException, FleetException {
        long epoch = 0;
        try (Stream<Path> all = Files.list(heads)) {
            epoch = all.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches(EPOCH))
                    .mapToLong(Long::parseLong)
                    .max()
                    .orElse(0);
        } catch (NoSuchFileException e) {
            requireMounted();
        }
        return epoch == 0 ? Optional.empty() : read(epoch);
    }

    /**
     * Creates a directory of the space. Never creates the directory of the store: it may be a mount that has
     * disappeared, and the new directory would then look like an empty store.
     */
    private void prepare(Path of) throws IOException {
        for (Path each : List.of(of.resolveSibling(""), of)) {
            try {
                Files.createDirectory(each);
            } catch (FileAlreadyExistsException e) {
                // Created earlier, or by another process in the meantime.
            }
        }
    }

    private void requireMounted() throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new NoSuchFileException(directory.toString());
        }
    }

    private Optional<StoredHead> read(long epoch) throws IOException, FleetException {
        try {
            return Optional.of(new StoredHead(epoch, StoredFiles.read(file(epoch), FleetHead.LARGEST)));
        } catch (NoSuchFileException e) {
            requireMounted();
            return Optional.empty();
        }
    }

    private Path file(long epoch) {
        return heads.resolve("%019d".formatted(epoch));
    }

    @Override
    public CompletableFuture<Boolean> compareAndSetHead(long expected, byte[] next) {
        return async(() -> {
            long present = newest().map(StoredHead::epoch).orElse(0L);
            if (present != expected || expected == Long.MAX_VALUE) {
                return false;
            }
            prepare(heads);
            Path written = StoredFiles.temporary(heads, next);
            try {
                Files.createLink(file(expected + 1), written);
                StoredFiles.sync(heads);
                return true;
            } catch (FileAlreadyExistsException e) {
                return false;
            } catch (UnsupportedOperationException e) {
                throw new FleetException(
                        FleetException.Kind.UNAVAILABLE, "the file system does not support hard links: " + heads, e);
            } finally {
                Files.deleteIfExists(written);
            }
        });
    }

    @Override
    public AutoCloseable watchHead(HeadListener listener) {
        Watch watch = new Watch(listener);
        ScheduledFuture<?> task = thread.scheduleWithFixedDelay(watch, 0, POLL.toMillis(), TimeUnit.MILLISECONDS);
        return () -> {
            watch.closed.set(true);
            task.cancel(false);
        };
    }

    /** Checks for new heads, on the thread of the store. */
    private final class Watch implements Runnable {
        private final HeadListener listener;
        private final AtomicBoolean closed = new AtomicBoolean();
        private long reported;
        private int polls;

        Watch(HeadListener listener) {
            this.listener = listener;
        }

        @Override
        public void run() {
            if (closed.get()) {
                return;
            }
            try {
                boolean list = polls++ % LIST_EVERY == 0;
                if (list || Files.exists(file(reported + 1), LinkOption.NOFOLLOW_LINKS)) {
                    Optional<StoredHead> newest = newest();
                    // Even a lower epoch is reported, so that the listener detects the replay of an old head.
                    if (newest.isPresent() && (list || newest.get().epoch() != reported)) {
                        reported = newest.get().epoch();
                        listener.head(newest.get());
                    }
                }
            } catch (IOException e) {
                listener.unavailable(unavailable(e));
            } catch (FleetException e) {
                listener.unavailable(e);
            }
        }
    }

    @Override
    public CompletableFuture<Void> report(String node, byte[] report) {
        return async(() -> {
            prepare(nodes);
            StoredFiles.replace(nodes.resolve(FleetNames.name("node", node)), report);
            return null;
        });
    }

    @Override
    public CompletableFuture<List<StoredReport>> reports() {
        return async(() -> {
            requireMounted();
            List<StoredReport> reports = new ArrayList<>();
            Instant now = now();
            for (Path file : StoredFiles.children(nodes)) {
                String name = file.getFileName().toString();
                if (name.startsWith(".") || reports.size() == MOST_REPORTS) {
                    continue;
                }
                try {
                    Instant written = Files.getLastModifiedTime(file).toInstant();
                    byte[] bytes = StoredFiles.read(file, LARGEST_REPORT);
                    Duration age = Duration.between(written, now);
                    reports.add(new StoredReport(
                            FleetNames.name("node", name), bytes, age.isNegative() ? Duration.ZERO : age));
                } catch (NoSuchFileException | FleetException e) {
                    // The file was deleted meanwhile, or is not the report of a node.
                }
            }
            reports.sort(Comparator.comparing(StoredReport::node));
            return reports;
        });
    }

    /** Returns the time of the file system, which may differ from the time of this machine. */
    private Instant now() throws IOException {
        prepare(nodes);
        Path probe = StoredFiles.temporary(nodes, new byte[0]);
        try {
            return Files.getLastModifiedTime(probe).toInstant();
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    @Override
    public CompletableFuture<Instant> time() {
        return async(() -> {
            requireMounted();
            return now();
        });
    }

    /** Deletes the temporary files of processes that were killed. Returns the number of deleted files. */
    public CompletableFuture<Integer> removeAbandoned() {
        return async(() -> {
            int removed = 0;
            Instant oldest = Instant.now().minus(ABANDONED);
            for (Path directory : List.of(archives, heads, nodes)) {
                for (Path file : StoredFiles.children(directory)) {
                    if (file.getFileName().toString().startsWith(StoredFiles.TEMPORARY)
                            && Files.getLastModifiedTime(file).toInstant().isBefore(oldest)
                            && Files.deleteIfExists(file)) {
                        removed++;
                    }
                }
            }
            return removed;
        });
    }

    @Override
    public void close() {
        thread.shutdown();
        try {
            // A write in progress would otherwise leave a temporary file when the process ends.
            if (!thread.awaitTermination(CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("fleet: an operation of the store is still in progress while the store closes");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
