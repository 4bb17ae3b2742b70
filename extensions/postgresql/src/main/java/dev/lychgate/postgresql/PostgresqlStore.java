package dev.lychgate.postgresql;

import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetNames;
import dev.lychgate.fleet.FleetStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A store in the tables of a PostgreSQL database. */
final class PostgresqlStore implements FleetStore {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresqlStore.class);
    /**
     * The longest wait for a response while an archive is written or read, because the server may have to write 68 MiB
     * to disk.
     */
    private static final Duration ARCHIVE = Duration.ofSeconds(20);

    private static final Duration CLEAN = Duration.ofHours(1);

    private final Duration timeout;
    private final StoreTables tables;
    private final HeadTable heads;
    private final ReleaseTable releases;
    private final NodeTable nodes;
    private final DatabaseThread thread;
    /** The time of the last deletion of old reports. Only the thread of the store uses it. */
    private long cleaned = System.nanoTime() - CLEAN.toNanos();

    private PostgresqlStore(PostgresqlAccess access, String space) {
        this.timeout = access.settings().timeout();
        this.tables = new StoreTables(access.settings().schema());
        this.heads = new HeadTable(tables, space);
        this.releases = new ReleaseTable(tables, space);
        this.nodes = new NodeTable(tables, space);
        this.thread = DatabaseThread.start(access, tables.channel(), heads, space);
    }

    /**
     * Opens a store. Reads the files of the settings, and does not connect.
     *
     * @throws dev.lychgate.config.ConfigException if a file cannot be used
     */
    static PostgresqlStore open(PostgresqlSettings settings, String space) {
        PostgresqlAccess access = new PostgresqlAccess(settings);
        access.properties();
        return new PostgresqlStore(access, space);
    }

    @Override
    public CompletableFuture<Void> prepare() {
        return thread.run(ARCHIVE, (connection, repeated) -> {
                    tables.create(connection);
                    return true;
                })
                .thenApply(done -> null);
    }

    @Override
    public CompletableFuture<Void> putArchive(String digest, byte[] archive) {
        return thread.run(ARCHIVE, (connection, repeated) -> {
                    releases.put(connection, FleetNames.digest(digest), archive);
                    return true;
                })
                .thenApply(done -> null);
    }

    @Override
    public CompletableFuture<byte[]> archive(String digest) {
        return thread.run(ARCHIVE, (connection, repeated) -> releases.get(connection, FleetNames.digest(digest)));
    }

    @Override
    public CompletableFuture<Optional<StoredHead>> head() {
        return thread.run(timeout, (connection, repeated) -> heads.newest(connection));
    }

    @Override
    public CompletableFuture<Optional<StoredHead>> head(long epoch) {
        return thread.run(timeout, (connection, repeated) -> heads.ofEpoch(connection, epoch));
    }

    @Override
    public CompletableFuture<Boolean> compareAndSetHead(long expected, byte[] next) {
        return thread.run(timeout, (connection, repeated) -> heads.insert(connection, expected, next, repeated));
    }

    @Override
    public AutoCloseable watchHead(HeadListener listener) {
        return thread.watch(listener);
    }

    @Override
    public CompletableFuture<Void> report(String node, byte[] report) {
        try {
            FleetNames.name("node", node);
        } catch (FleetException e) {
            return CompletableFuture.failedFuture(e);
        }
        return thread.run(timeout, (connection, repeated) -> {
                    nodes.write(connection, node, report);
                    if (System.nanoTime() - cleaned >= CLEAN.toNanos()) {
                        cleaned = System.nanoTime();
                        clean(connection);
                    }
                    return true;
                })
                .thenApply(done -> null);
    }

    /**
     * Deletes old reports. A failure of the deletion does not affect the report of this node, which is already stored.
     */
    private void clean(Connection connection) {
        try {
            nodes.deleteOld(connection);
        } catch (SQLException e) {
            LOG.debug("fleet: old reports of nodes were not deleted", e);
        }
    }

    @Override
    public CompletableFuture<List<StoredReport>> reports() {
        return thread.run(timeout, (connection, repeated) -> nodes.all(connection));
    }

    @Override
    public CompletableFuture<Instant> time() {
        return thread.run(timeout, (connection, repeated) -> {
            try (Statement statement = connection.createStatement();
                    ResultSet now =
                            statement.executeQuery("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")) {
                if (!now.next()) {
                    throw new FleetException(FleetException.Kind.UNAVAILABLE, "the store did not return its time");
                }
                return Instant.ofEpochMilli(now.getLong(1));
            }
        });
    }

    @Override
    public void close() {
        thread.close();
    }
}
