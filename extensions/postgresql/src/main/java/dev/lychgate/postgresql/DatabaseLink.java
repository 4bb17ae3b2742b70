package dev.lychgate.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.jdbc.PgConnection;

/** An open connection. Any thread may call {@link #abort}; only the thread of the store may call the other methods. */
final class DatabaseLink implements AutoCloseable {
    private static final Duration TRANSFER = Duration.ofMillis(500);

    private final Connection connection;
    private boolean listening;

    private DatabaseLink(Connection connection) {
        this.connection = connection;
    }

    /**
     * Connects to the primary server. Each endpoint may take as long as the configured timeout.
     *
     * @throws dev.lychgate.config.ConfigException if a file of the settings cannot be used
     */
    static DatabaseLink open(PostgresqlAccess access) throws SQLException {
        // The driver class would register itself for the whole JVM, and would then keep the classes of the extension in
        // memory.
        Connection connection = new PgConnection(access.hosts(), access.properties(), "jdbc:postgresql:");
        DatabaseLink link = new DatabaseLink(connection);
        try {
            Duration timeout = access.settings().timeout();
            link.limit(timeout);
            // With this setting, the server ends a statement that waits too long for a lock. Otherwise, the statement
            // would continue to wait after the gateway has closed the connection, because the server does not detect
            // this.
            link.execute("SET statement_timeout = " + timeout.toMillis());
            // Functions and operators of other schemas must not replace the functions and operators of PostgreSQL.
            link.execute("SET search_path TO pg_catalog");
            return link;
        } catch (SQLException e) {
            link.close();
            throw e;
        }
    }

    Connection connection() {
        return connection;
    }

    /**
     * Sets the maximum wait for a response. It is a little longer than {@code timeout}, after which the server ends a
     * statement.
     */
    void limit(Duration timeout) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, (int) timeout.plus(TRANSFER).toMillis());
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    boolean isListening() {
        return listening;
    }

    /** Subscribes to the notifications of a channel. */
    void listen(String channel) throws SQLException {
        execute("LISTEN \"" + channel + "\"");
        listening = true;
    }

    /**
     * Waits for notifications.
     *
     * @param payload the payload; notifications with another payload are ignored
     * @param wait at least a millisecond
     */
    boolean isNotified(String payload, Duration wait) throws SQLException {
        PGConnection notified = connection.unwrap(PGConnection.class);
        // Notifications may also have arrived with the response to a statement.
        return contains(notified.getNotifications(), payload)
                || contains(notified.getNotifications((int) Math.max(1, wait.toMillis())), payload);
    }

    private static boolean contains(PGNotification @Nullable [] notifications, String payload) {
        boolean found = false;
        if (notifications != null) {
            for (PGNotification each : notifications) {
                found |= payload.equals(each.getParameter());
            }
        }
        return found;
    }

    /** Closes the socket, so that a call in progress fails. */
    void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            // The socket is closed already.
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            // The socket is closed nevertheless.
        }
    }
}
