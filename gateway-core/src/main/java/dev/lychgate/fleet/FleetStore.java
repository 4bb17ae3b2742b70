package dev.lychgate.fleet;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The storage that the nodes and operators of a fleet share. A store only keeps bytes: it is not trusted, and callers
 * verify all bytes. Each operation is asynchronous. If the store does not respond, the future of the operation fails
 * with a {@link FleetException} of the kind {@code UNAVAILABLE}. Futures complete on a thread of the store, which
 * callers must not block. Thread-safe.
 */
public interface FleetStore extends AutoCloseable {
    /** The maximum size of the archive of a release, in bytes. */
    int LARGEST_ARCHIVE = 68 << 20;
    /** The maximum size of a signed head, in bytes. */
    int LARGEST_HEAD = 8 << 10;
    /**
     * The maximum size of the report of a node, in bytes. No node writes a larger report. If a store contains a larger
     * report, {@link #reports} omits it.
     */
    int LARGEST_REPORT = 64 << 10;
    /** The maximum number of reports that {@link #reports} returns. */
    int MOST_REPORTS = 10_000;

    /**
     * A signed head, as a store keeps it.
     *
     * @param epoch the epoch of the head, under which the store keeps the head
     */
    @SuppressWarnings("ArrayRecordComponent") // the bytes are never changed
    record StoredHead(long epoch, byte[] bytes) {}

    /**
     * The last report of a node.
     *
     * @param age the time since the report, by the clock of the store
     */
    @SuppressWarnings("ArrayRecordComponent") // the bytes are never changed
    record StoredReport(String node, byte[] bytes, Duration age) {}

    /** Receives heads. */
    interface HeadListener {
        /**
         * Reports a head. If several heads follow each other quickly, older heads may be omitted, but the newest head
         * is always reported.
         */
        void head(StoredHead head);

        /** Reports that the store did not respond. The watch continues. */
        void unavailable(FleetException reason);
    }

    /**
     * Creates the objects that the store needs before the first head, such as tables. Existing objects stay as they
     * are. The default implementation does nothing.
     */
    default CompletableFuture<Void> prepare() {
        return CompletableFuture.completedFuture(null);
    }

    /** Keeps an archive under the digest of its release. An existing archive of this digest is not replaced. */
    CompletableFuture<Void> putArchive(String digest, byte[] archive);

    /**
     * Returns the archive of the release {@code digest}. The future fails with the kind {@code MISSING} if there is no
     * such archive, and with the kind {@code REFUSED} if the archive is larger than {@link #LARGEST_ARCHIVE}.
     */
    CompletableFuture<byte[]> archive(String digest);

    /** Returns the head with the highest epoch; empty if the store contains no head. */
    CompletableFuture<Optional<StoredHead>> head();

    /** Returns the head of an epoch; empty if the store does not contain this head. */
    CompletableFuture<Optional<StoredHead>> head(long epoch);

    /**
     * Makes {@code next} the head if the present head has the epoch {@code expected}. If several concurrent calls
     * expect this epoch, exactly one of them succeeds.
     *
     * @param expected the required epoch of the present head; 0 if the store must contain no head
     * @param next the head of the epoch {@code expected + 1}
     * @return whether {@code next} is the head now
     */
    CompletableFuture<Boolean> compareAndSetHead(long expected, byte[] next);

    /**
     * Reports the present head and each later head to {@code listener}, until the returned object is closed.
     *
     * @param listener called by one thread of the store at a time
     */
    AutoCloseable watchHead(HeadListener listener);

    /** Stores a report of a node in place of the earlier report of this node. */
    CompletableFuture<Void> report(String node, byte[] report);

    /** Returns the last report of each node, ordered by the name of the node. */
    CompletableFuture<List<StoredReport>> reports();

    /** Returns the time of the store's clock, with a precision of about one second. */
    CompletableFuture<Instant> time();

    /** Ends all watches. Operations in progress complete. */
    @Override
    void close();
}
