package dev.lychgate.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.ScratchDirectory;
import dev.lychgate.testing.UnusedPort;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.util.HostSpec;

/**
 * A PostgreSQL server on the loopback address, with the superuser {@code postgres} and without passwords for its own connections.
 * PostgreSQL refuses to run as root, so root runs it as the user {@code postgres}.
 */
final class PostgresqlServer implements AutoCloseable {
    static final String MISSING = "no PostgreSQL server is installed (apt-get install postgresql)";

    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
    private static final Duration START = Duration.ofSeconds(30);
    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

    private final ScratchDirectory directory;
    private final int port = UnusedPort.number();
    private final List<String> options;
    private @Nullable Process process;

    private PostgresqlServer(ScratchDirectory directory, List<String> options) {
        this.directory = directory;
        this.options = options;
    }

    /** Returns whether a server can be started. */
    static boolean isInstalled() {
        return binaries() != null;
    }

    private static @Nullable Path binaries() {
        if (Files.isDirectory(VERSIONS)) {
            try (Stream<Path> versions = Files.list(VERSIONS)) {
                return versions.map(version -> version.resolve("bin"))
                        .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                        .max(Path::compareTo)
                        .orElse(null);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(Path::of)
                .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                .findFirst()
                .orElse(null);
    }

    /**
     * Starts a server with an empty database {@code lychgate}.
     *
     * @param options of the command {@code postgres}, such as {@code -c ssl=on}
     */
    static PostgresqlServer start(String... options) throws Exception {
        PostgresqlServer server = new PostgresqlServer(ScratchDirectory.create(), List.of(options));
        server.initialize();
        server.launch();
        server.sql("postgres", "CREATE DATABASE lychgate");
        return server;
    }

    /** Starts a replica, which follows a server. */
    static PostgresqlServer replica(PostgresqlServer primary) throws Exception {
        PostgresqlServer server = new PostgresqlServer(ScratchDirectory.create(), List.of());
        server.prepareDirectory();
        server.execute(
                "pg_basebackup",
                "--checkpoint=fast",
                "--write-recovery-conf",
                "--pgdata=" + server.data(),
                "--dbname=host=127.0.0.1 user=postgres port=" + primary.port);
        server.launch();
        return server;
    }

    private void initialize() throws Exception {
        prepareDirectory();
        execute("initdb", "--pgdata=" + data(), "--auth=trust", "--username=postgres", "--no-sync", "--locale=C");
    }

    private void prepareDirectory() throws IOException {
        Files.setPosixFilePermissions(directory.path(), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createDirectory(data());
        Files.setPosixFilePermissions(data(), PosixFilePermissions.fromString("rwx------"));
        giveToServer(data());
    }

    private static void giveToServer(Path file) throws IOException {
        if (ROOT) {
            Files.setOwner(
                    file, file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("postgres"));
        }
    }

    private Path data() {
        return directory.path().resolve("data");
    }

    /** Returns the path of a program of PostgreSQL. */
    static String program(String name) {
        return binaries() + "/" + name;
    }

    private List<String> command(String program, List<String> arguments) {
        List<String> command = new ArrayList<>();
        if (ROOT) {
            command.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        }
        command.add(program(program));
        command.addAll(arguments);
        return command;
    }

    private Process begin(String program, List<String> arguments) throws IOException {
        return new ProcessBuilder(command(program, arguments))
                .directory(directory.path().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
    }

    private Path log() {
        return directory.path().resolve("log");
    }

    private void execute(String program, String... arguments) throws Exception {
        assertThat(begin(program, List.of(arguments)).waitFor())
                .as("%s: %s", program, Files.readString(log()))
                .isZero();
    }

    private void launch() throws Exception {
        List<String> arguments = new ArrayList<>(List.of("-D", data().toString(), "-p", Integer.toString(port)));
        arguments.addAll(List.of("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="));
        arguments.addAll(List.of("-c", "fsync=off", "-c", "max_connections=50"));
        arguments.addAll(options);
        // After a kill, the processes of the old server end a moment later.
        Eventually.eventually(START, () -> {
            Process started = process;
            if (started == null || !started.isAlive()) {
                process = begin("postgres", arguments);
            }
            sql("postgres", "SELECT 1");
        });
    }

    int port() {
        return port;
    }

    String endpoint() {
        return "127.0.0.1:" + port;
    }

    /** Writes a file that the server can read, and returns its path. */
    String file(String name, String content) throws IOException {
        Path file = Files.writeString(directory.path().resolve(name), content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        giveToServer(file);
        return file.toString();
    }

    /** Replaces the rules of authentication. The superuser stays without a password. */
    void authenticate(String... rules) throws Exception {
        Files.writeString(
                data().resolve("pg_hba.conf"),
                "host all postgres 127.0.0.1/32 trust\n" + String.join("\n", rules) + "\n");
        sql("postgres", "SELECT pg_reload_conf()");
    }

    /** Opens a connection of the superuser. */
    Connection connect(String database) throws SQLException {
        Properties properties = new Properties();
        properties.putAll(Map.of("user", "postgres", "PGDBNAME", database, "sslmode", "disable"));
        properties.putAll(Map.of("connectTimeout", "5", "socketTimeout", "20"));
        return new PgConnection(new HostSpec[] {new HostSpec("127.0.0.1", port)}, properties, "jdbc:postgresql:");
    }

    /** Executes statements in a database as the superuser, and returns the first value of the last result. */
    @Nullable
    String sql(String database, String statements) throws SQLException {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            boolean rows = statement.execute(statements);
            while (!rows && statement.getUpdateCount() >= 0) {
                rows = statement.getMoreResults();
            }
            if (rows) {
                try (ResultSet result = statement.getResultSet()) {
                    return result.next() ? result.getString(1) : null;
                }
            }
            return null;
        }
    }

    /** Executes statements in the database {@code lychgate}. */
    @Nullable
    String sql(String statements) throws SQLException {
        return sql("lychgate", statements);
    }

    private Process running() {
        Process running = process;
        if (running == null) {
            throw new AssertionError("not started");
        }
        return running;
    }

    /** Sends a signal to the server and to all of its processes. */
    void signalAll(String name) throws Exception {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name));
        Stream.concat(Stream.of(running().toHandle()), running().descendants())
                .forEach(each -> command.add(Long.toString(each.pid())));
        new ProcessBuilder(command).start().waitFor();
    }

    /** Kills the server with all of its processes. */
    void kill() throws Exception {
        signalAll("KILL");
        assertThat(running().waitFor(10, TimeUnit.SECONDS)).isTrue();
    }

    /** Stops the server: connections in use are closed. */
    void stop() throws Exception {
        new ProcessBuilder("kill", "-INT", Long.toString(running().pid()))
                .start()
                .waitFor();
        assertThat(running().waitFor(20, TimeUnit.SECONDS)).isTrue();
    }

    /** Starts the server again after its end. */
    void restart() throws Exception {
        launch();
    }

    /** Makes a replica the primary server. */
    void promote() throws Exception {
        execute("pg_ctl", "promote", "--wait", "--pgdata=" + data());
    }

    @Override
    public void close() throws IOException {
        try {
            if (process != null && running().isAlive()) {
                signalAll("CONT");
                kill();
            }
            // The processes of the server end after it.
            Eventually.eventually(directory::close);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
