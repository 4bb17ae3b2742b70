package dev.lychgate.postgresql;

import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetNames;
import dev.lychgate.fleet.FleetStore;
import dev.lychgate.fleet.FleetStore.StoredReport;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The last report of each node of a space. The clock of the server determines the age of a report. */
final class NodeTable {
    /** The number of reports that one response of the server contains. */
    private static final int AT_ONCE = 50;
    /** The maximum size of all reports together, in bytes. The reports of 10,000 nodes are much smaller. */
    private static final long MOST_BYTES = 64 << 20;

    private static final String READING = "SET TRANSACTION READ ONLY";

    private final String space;
    private final String write;
    private final String delete;
    private final String select;

    NodeTable(StoreTables tables, String space) {
        String table = tables.name("nodes");
        this.space = space;
        this.write = "INSERT INTO " + table + " (space, node, reported, report) VALUES (?, ?, clock_timestamp(), ?)"
                + " ON CONFLICT (space, node) DO UPDATE SET reported = excluded.reported, report = excluded.report";
        this.delete = "DELETE FROM " + table + " WHERE space = ? AND reported < clock_timestamp() - interval '1 day'";
        this.select = "SELECT node, report, CASE WHEN isfinite(reported)"
                + " THEN (extract(epoch FROM clock_timestamp() - reported) * 1000)::bigint ELSE 0 END FROM " + table
                + " WHERE space = ? AND reported > clock_timestamp() - interval '1 day'"
                + " AND octet_length(node) <= 64 AND octet_length(report) <= " + FleetStore.LARGEST_REPORT
                + " ORDER BY reported DESC LIMIT " + FleetStore.MOST_REPORTS;
    }

    void write(Connection connection, String node, byte[] report) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(write)) {
            statement.setString(1, space);
            statement.setString(2, node);
            statement.setBytes(3, report);
            statement.executeUpdate();
        }
    }

    /** Deletes reports that are older than a day. */
    void deleteOld(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(delete)) {
            statement.setString(1, space);
            statement.executeUpdate();
        }
    }

    /** Returns the reports of the last day. */
    List<StoredReport> all(Connection connection) throws SQLException, FleetException {
        return Transaction.run(connection, READING, () -> {
            List<StoredReport> reports = new ArrayList<>();
            long bytes = 0;
            try (PreparedStatement query = connection.prepareStatement(select)) {
                query.setString(1, space);
                query.setFetchSize(AT_ONCE);
                try (ResultSet found = query.executeQuery()) {
                    while (bytes < MOST_BYTES && found.next()) {
                        byte[] report = found.getBytes(2);
                        bytes += report.length;
                        add(reports, found.getString(1), report, Duration.ofMillis(Math.max(0, found.getLong(3))));
                    }
                }
            }
            reports.sort(Comparator.comparing(StoredReport::node));
            return reports;
        });
    }

    private static void add(List<StoredReport> reports, String node, byte[] report, Duration age) {
        try {
            reports.add(new StoredReport(FleetNames.name("node", node), report, age));
        } catch (FleetException e) {
            // The name is malformed. Any process that can write to the table can write a malformed name.
        }
    }
}
