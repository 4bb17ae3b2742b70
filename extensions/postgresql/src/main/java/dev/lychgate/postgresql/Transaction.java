package dev.lychgate.postgresql;

import dev.lychgate.fleet.FleetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Runs several statements as one transaction. */
final class Transaction {
    private Transaction() {}

    /** Statements that use the connection of the transaction. */
    interface Body<T> {
        T run() throws SQLException, FleetException;
    }

    /**
     * Commits the statements if {@code body} returns. If it throws an exception, rolls the statements back.
     *
     * @param settings a statement that sets the properties of the transaction
     */
    static <T> T run(Connection connection, String settings, Body<T> body) throws SQLException, FleetException {
        connection.setAutoCommit(false);
        try {
            try (Statement statement = connection.createStatement()) {
                statement.execute(settings);
            }
            T result = body.run();
            connection.commit();
            return result;
        } catch (SQLException | FleetException | RuntimeException e) {
            try {
                connection.rollback();
            } catch (SQLException broken) {
                e.addSuppressed(broken);
            }
            throw e;
        } finally {
            if (!connection.isClosed()) {
                connection.setAutoCommit(true);
            }
        }
    }
}
