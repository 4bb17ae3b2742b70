package dev.lychgate.postgresql;

import dev.lychgate.fleet.FleetException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The tables of a store. All names in statements contain the schema, so the search path has no effect. */
final class StoreTables {
    private static final String[] NAMES = {"heads", "releases", "nodes"};

    private final String schema;

    /** @param schema a valid name of a schema */
    StoreTables(String schema) {
        this.schema = schema;
    }

    /** Returns the name of a table for a statement. */
    String name(String table) {
        return "\"" + schema + "\"." + table;
    }

    /** Returns the channel of the notifications of new heads. */
    String channel() {
        return "lychgate_" + schema;
    }

    /** Creates the missing tables. If no table is missing, the role needs no right to create tables. */
    void create(Connection connection) throws SQLException, FleetException {
        boolean complete = true;
        for (String name : NAMES) {
            complete &= exists(connection, name);
        }
        if (!complete) {
            Transaction.run(connection, "SET LOCAL statement_timeout = '20s'", () -> {
                try (Statement statement = connection.createStatement()) {
                    for (String each : statements()) {
                        statement.execute(each);
                    }
                }
                return true;
            });
        }
    }

    private boolean exists(Connection connection, String table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT to_regclass(?) IS NOT NULL")) {
            query.setString(1, name(table));
            try (ResultSet found = query.executeQuery()) {
                return found.next() && found.getBoolean(1);
            }
        }
    }

    /**
     * Returns the statements that create the tables. The page docs/guides/fleet-postgresql.md contains the same
     * statements.
     */
    String[] statements() {
        return new String[] {
            // Concurrent statements with IF NOT EXISTS may fail, so other processes that create the tables wait.
            "SELECT pg_advisory_xact_lock(hashtext('" + channel() + "'))",
            "CREATE SCHEMA IF NOT EXISTS \"" + schema + "\"",
            "CREATE TABLE IF NOT EXISTS " + name("heads")
                    + " (space text, epoch bigint, content bytea NOT NULL, PRIMARY KEY (space, epoch))",
            "CREATE TABLE IF NOT EXISTS " + name("releases")
                    + " (space text, digest text, number integer, content bytea NOT NULL,"
                    + " PRIMARY KEY (space, digest, number))",
            "CREATE TABLE IF NOT EXISTS " + name("nodes")
                    + " (space text, node text, reported timestamptz NOT NULL, report bytea NOT NULL,"
                    + " PRIMARY KEY (space, node))"
        };
    }
}
