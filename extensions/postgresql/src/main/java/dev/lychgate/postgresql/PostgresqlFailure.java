package dev.lychgate.postgresql;

import dev.lychgate.config.ConfigException;
import dev.lychgate.fleet.FleetException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Classifies the failures of statements and connections by the codes of PostgreSQL. */
final class PostgresqlFailure {
    private static final int LONGEST = 300;
    private static final String CONNECTION = "08";
    private static final String AUTHENTICATION = "28";
    /** The code for a statement that took longer than its timeout, for example because it waited for a lock. */
    private static final String TIMEOUT = "57014";

    private static final Set<String> NO_TABLE = Set.of("42P01", "3F000");
    /**
     * The codes for failures after which another connection may succeed: The server stops, starts, has no free
     * connection, has closed an idle connection, or has become a replica.
     */
    private static final Set<String> OTHER_CONNECTION =
            Set.of("57P01", "57P02", "57P03", "57P05", "53300", "25006", "25P03");

    private PostgresqlFailure() {}

    /** Returns whether the connection cannot be used any more, or could not be opened. */
    static boolean isOfConnection(SQLException failure) {
        String state = failure.getSQLState();
        return state == null
                || state.startsWith(CONNECTION)
                || OTHER_CONNECTION.contains(state)
                || cause(failure, IOException.class) != null;
    }

    /** Returns whether another attempt to connect would fail for the same reason. */
    static boolean isPermanent(SQLException failure) {
        String state = failure.getSQLState();
        return state != null && state.startsWith(AUTHENTICATION);
    }

    /** Returns the failure in the form that callers of the store receive. */
    static FleetException of(SQLException failure, List<String> endpoints) {
        String state = failure.getSQLState();
        if (state != null && NO_TABLE.contains(state)) {
            return unavailable("the store has no tables; lychgate fleet init creates the tables", failure);
        }
        String where = String.join(",", endpoints) + ": ";
        boolean refused = isPermanent(failure) || !isOfConnection(failure);
        if (refused && !TIMEOUT.equals(state)) {
            return unavailable("the store refuses the request: postgresql: " + where + reason(failure), failure);
        }
        return unavailable("the store does not respond: postgresql: " + where + reason(failure), failure);
    }

    /** Converts the failure to read a file that the settings name. Each new connection reads these files. */
    static FleetException of(ConfigException failure) {
        return unavailable("fleet.store.postgresql." + failure.getMessage(), failure);
    }

    private static FleetException unavailable(String reason, Throwable cause) {
        return new FleetException(FleetException.Kind.UNAVAILABLE, reason, cause);
    }

    private static String reason(SQLException failure) {
        PSQLException reported = cause(failure, PSQLException.class);
        ServerErrorMessage message = reported == null ? null : reported.getServerErrorMessage();
        if (message != null) {
            return line(String.valueOf(message.getMessage()) + " (" + message.getSQLState() + ")");
        }
        SSLException tls = cause(failure, SSLException.class);
        if (tls != null) {
            return line("TLS: " + tls.getMessage());
        }
        Throwable root = failure;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return line(
                root instanceof SQLException
                        ? String.valueOf(root.getMessage())
                        : root.getClass().getSimpleName() + ": " + root.getMessage());
    }

    private static <T> @Nullable T cause(Throwable failure, Class<T> type) {
        Throwable each = failure;
        for (int depth = 0; each != null && depth < 10; depth++) {
            if (type.isInstance(each)) {
                return type.cast(each);
            }
            each = each.getCause();
        }
        return null;
    }

    /** Returns one line of printable text. The server determines the text, so its length is bounded. */
    private static String line(String text) {
        String line = text.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
    }
}
