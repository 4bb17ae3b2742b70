package dev.lychgate.postgresql;

import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetStore;
import dev.lychgate.fleet.FleetStore.StoredHead;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The heads of a space, with one row for each epoch. Rows are inserted and never changed. The statement that inserts a
 * row also notifies the nodes. Both take effect in one transaction, so the row is visible when its notification
 * arrives.
 */
final class HeadTable {
    private static final String COLUMNS =
            "SELECT epoch, CASE WHEN octet_length(content) <= " + FleetStore.LARGEST_HEAD + " THEN content END FROM ";

    private final String space;
    private final String channel;
    private final String newest;
    private final String ofEpoch;
    private final String insert;

    HeadTable(StoreTables tables, String space) {
        String table = tables.name("heads");
        this.space = space;
        this.channel = tables.channel();
        this.newest = COLUMNS + table + " WHERE space = ? ORDER BY epoch DESC LIMIT 1";
        this.ofEpoch = COLUMNS + table + " WHERE space = ? AND epoch = ?";
        // Of two writers, the second waits for the first, and then inserts nothing.
        this.insert = "WITH inserted AS (INSERT INTO " + table
                + " (space, epoch, content) SELECT ?, ?, ? WHERE coalesce((SELECT max(epoch) FROM " + table
                + " WHERE space = ?), 0) = ? ON CONFLICT DO NOTHING RETURNING epoch)"
                + " SELECT epoch, pg_notify(?, ?) FROM inserted";
    }

    /** Returns the head with the highest epoch. */
    Optional<StoredHead> newest(Connection connection) throws SQLException, FleetException {
        try (PreparedStatement query = connection.prepareStatement(newest)) {
            query.setString(1, space);
            return read(query);
        }
    }

    Optional<StoredHead> ofEpoch(Connection connection, long epoch) throws SQLException, FleetException {
        try (PreparedStatement query = connection.prepareStatement(ofEpoch)) {
            query.setString(1, space);
            query.setLong(2, epoch);
            return read(query);
        }
    }

    private static Optional<StoredHead> read(PreparedStatement query) throws SQLException, FleetException {
        try (ResultSet found = query.executeQuery()) {
            if (!found.next()) {
                return Optional.empty();
            }
            long epoch = found.getLong(1);
            byte[] content = found.getBytes(2);
            if (content == null) {
                throw FleetException.refused("the head of epoch " + epoch + " in the store is larger than "
                        + FleetStore.LARGEST_HEAD + " bytes");
            }
            if (epoch <= 0) {
                throw FleetException.refused("the store has a head with a malformed epoch: " + epoch);
            }
            return Optional.of(new StoredHead(epoch, content));
        }
    }

    /**
     * Inserts the head of the epoch {@code expected + 1}, if {@code expected} is the highest epoch.
     *
     * @param repeated whether an earlier attempt with these arguments may have succeeded although its response was lost
     */
    boolean insert(Connection connection, long expected, byte[] next, boolean repeated)
            throws SQLException, FleetException {
        if (expected == Long.MAX_VALUE) {
            return false;
        }
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setString(1, space);
            statement.setLong(2, expected + 1);
            statement.setBytes(3, next);
            statement.setString(4, space);
            statement.setLong(5, expected);
            statement.setString(6, channel);
            statement.setString(7, space);
            try (ResultSet inserted = statement.executeQuery()) {
                if (inserted.next()) {
                    return true;
                }
            }
        }
        return repeated
                && ofEpoch(connection, expected + 1)
                        .filter(head -> Arrays.equals(head.bytes(), next))
                        .isPresent();
    }
}
