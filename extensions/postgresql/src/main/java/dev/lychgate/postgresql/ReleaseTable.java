package dev.lychgate.postgresql;

import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetNames;
import dev.lychgate.fleet.FleetStore;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * The archives of a space. An archive is divided into chunks, one in each row, so that neither the server nor the
 * gateway keeps several copies of the whole archive in memory. The rows of an archive are written in one transaction,
 * and read in one snapshot.
 */
final class ReleaseTable {
    private static final int CHUNK = 1 << 20;
    /** The number of chunks that one response of the server contains. */
    private static final int AT_ONCE = 2;
    /**
     * The settings of a transaction that writes. The server ends such a transaction if the gateway's process stops in
     * the middle of it, because the open transaction would block other processes.
     */
    private static final String WRITING =
            "SET LOCAL idle_in_transaction_session_timeout = '20s'; SET LOCAL statement_timeout = '20s'";

    private static final String READING =
            "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;" + " SET LOCAL statement_timeout = '20s'";

    private final String space;
    private final String channel;
    private final String measure;
    private final String select;
    private final String digests;
    private final String delete;
    private final String insert;

    ReleaseTable(StoreTables tables, String space) {
        String of = tables.name("releases") + " WHERE space = ? AND digest = ?";
        this.space = space;
        this.channel = tables.channel();
        this.measure =
                "SELECT count(*), coalesce(sum(octet_length(content)), 0), coalesce(max(octet_length(content)), 0),"
                        + " coalesce(min(number), 0), coalesce(max(number), -1) FROM " + of;
        this.select = "SELECT content FROM " + of + " ORDER BY number";
        this.digests = "SELECT number, sha256(content) FROM " + of + " ORDER BY number";
        this.delete = "DELETE FROM " + of;
        this.insert =
                "INSERT INTO " + tables.name("releases") + " (space, digest, number, content) VALUES (?, ?, ?, ?)";
    }

    /** Writes an archive, unless the store already has an intact copy. */
    void put(Connection connection, String digest, byte[] archive) throws SQLException, FleetException {
        Transaction.run(connection, WRITING, () -> {
            lock(connection, digest);
            int present = count(connection, digest);
            if (present == chunks(archive) && isIntact(connection, digest, archive)) {
                return true;
            }
            if (present > 0) {
                try (PreparedStatement statement = of(connection, delete, digest)) {
                    statement.executeUpdate();
                }
            }
            try (PreparedStatement statement = of(connection, insert, digest)) {
                for (int number = 0; number < chunks(archive); number++) {
                    statement.setInt(3, number);
                    statement.setBytes(4, chunk(archive, number));
                    statement.executeUpdate();
                }
            }
            return true;
        });
    }

    /** Makes other writers of the same archive wait until the end of the transaction. */
    private void lock(Connection connection, String digest) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT pg_advisory_xact_lock(hashtext(?))")) {
            statement.setString(1, channel + " " + space + " " + digest);
            statement.execute();
        }
    }

    private PreparedStatement of(Connection connection, String sql, String digest) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setString(1, space);
        statement.setString(2, digest);
        return statement;
    }

    /** Returns the number of chunks of an archive. An empty archive has one empty chunk. */
    private static int chunks(byte[] archive) {
        return Math.max(1, (archive.length + CHUNK - 1) / CHUNK);
    }

    private static byte[] chunk(byte[] archive, int number) {
        return Arrays.copyOfRange(archive, number * CHUNK, Math.min(archive.length, (number + 1) * CHUNK));
    }

    private int count(Connection connection, String digest) throws SQLException {
        try (PreparedStatement query = of(connection, measure, digest);
                ResultSet found = query.executeQuery()) {
            return found.next() ? found.getInt(1) : 0;
        }
    }

    /**
     * Returns whether the store has an intact copy of an archive. Compares digests, so that the archive is not
     * transferred.
     */
    private boolean isIntact(Connection connection, String digest, byte[] archive) throws SQLException {
        try (PreparedStatement query = of(connection, digests, digest);
                ResultSet found = query.executeQuery()) {
            int number = 0;
            while (found.next()) {
                if (found.getInt(1) != number || !Arrays.equals(found.getBytes(2), sha256(chunk(archive, number)))) {
                    return false;
                }
                number++;
            }
            return number == chunks(archive);
        }
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Returns an archive. */
    byte[] get(Connection connection, String digest) throws SQLException, FleetException {
        return Transaction.run(connection, READING, () -> {
            byte[] archive = new byte[size(connection, digest)];
            int at = 0;
            try (PreparedStatement query = of(connection, select, digest)) {
                query.setFetchSize(AT_ONCE);
                try (ResultSet found = query.executeQuery()) {
                    while (found.next()) {
                        byte[] content = found.getBytes(1);
                        if (content == null || content.length > archive.length - at) {
                            throw FleetException.refused(
                                    "the size of an archive in the store has changed during the read");
                        }
                        System.arraycopy(content, 0, archive, at, content.length);
                        at += content.length;
                    }
                }
            }
            if (at != archive.length) {
                throw FleetException.refused("the size of an archive in the store has changed during the read");
            }
            return archive;
        });
    }

    /** Returns the size of an archive that is complete and not too large. */
    private int size(Connection connection, String digest) throws SQLException, FleetException {
        try (PreparedStatement query = of(connection, measure, digest);
                ResultSet found = query.executeQuery()) {
            long count = found.next() ? found.getLong(1) : 0;
            if (count == 0) {
                throw missing("the store has no release " + FleetNames.shortened(digest));
            }
            if (found.getLong(2) > FleetStore.LARGEST_ARCHIVE || count > chunksOfLargest()) {
                throw FleetException.refused(
                        "an archive in the store is larger than " + FleetStore.LARGEST_ARCHIVE + " bytes");
            }
            if (found.getLong(3) > CHUNK) {
                throw FleetException.refused("a chunk of an archive in the store is larger than " + CHUNK + " bytes");
            }
            if (found.getLong(4) != 0 || found.getLong(5) != count - 1) {
                throw missing("an archive in the store lacks a chunk");
            }
            return found.getInt(2);
        }
    }

    private static int chunksOfLargest() {
        return FleetStore.LARGEST_ARCHIVE / CHUNK;
    }

    private static FleetException missing(String reason) {
        return new FleetException(FleetException.Kind.MISSING, reason);
    }
}
