package dev.lychgate.server.demo;

import dev.lychgate.server.engine.StartException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The configuration and the filters of the demo, in a directory that the gateway watches. */
final class DemoFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DemoFiles.class);
    private static final String CONFIG = "demo.yml";

    /**
     * The files, in the order in which they are written. The configuration is written last: if it exists, all other
     * files are complete.
     */
    private static final List<String> NAMES = List.of(
            "filters/inbound/Canary.groovy",
            "filters/inbound/Customer.groovy",
            "filters/outbound/Headers.groovy",
            "filters/error/Unavailable.groovy",
            CONFIG);

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(DEMO_\\w+):[^}]*}");

    private final Path directory;
    private final boolean temporary;

    private DemoFiles(Path directory, boolean temporary) {
        this.directory = directory;
        this.temporary = temporary;
    }

    /**
     * Writes the files unless the directory contains a {@code demo.yml}. An existing file is never overwritten.
     *
     * @param given the directory, which is created if it does not exist; null for a temporary directory, which
     *     {@link #close} removes
     * @param variables values that become the defaults of the placeholders in {@code demo.yml}, for commands that read
     *     the file in another process
     * @throws StartException if the files can't be written
     */
    static DemoFiles write(@Nullable Path given, Map<String, String> variables) throws StartException {
        DemoFiles files = given == null ? temporary() : new DemoFiles(given, false);
        try {
            if (!Files.exists(files.config())) {
                create(files.directory);
                for (String name : NAMES) {
                    files.write(name, variables);
                }
            }
            return files;
        } catch (IOException e) {
            files.close();
            throw new StartException("can't write the demo's files to " + files.directory + ": " + reason(e));
        }
    }

    private static DemoFiles temporary() throws StartException {
        try {
            return new DemoFiles(Files.createTempDirectory("lychgate-demo-"), true);
        } catch (IOException e) {
            throw new StartException("can't create a temporary directory for the demo's files: " + reason(e)
                    + "; use --directory to name another directory");
        }
    }

    /** Returns the configuration that the gateway watches. */
    Path config() {
        return directory.resolve(CONFIG);
    }

    /** Returns whether {@link #close} removes the files. */
    boolean isTemporary() {
        return temporary;
    }

    /** Removes the directory and its content if the directory is temporary. A second call has no effect. */
    @Override
    public synchronized void close() {
        if (!temporary || !Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.warn(
                    "demo: the temporary directory {} can't be removed, so it stays on the disk: {}",
                    directory,
                    e.toString());
        }
    }

    private void write(String name, Map<String, String> variables) throws IOException {
        Path file = directory.resolve(name);
        create(file.resolveSibling(""));
        try {
            Files.writeString(file, withDefaults(template(name), variables), StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            LOG.info("demo: the configuration file {} exists, so it is used unchanged", file);
        }
    }

    /**
     * Creates a directory unless it exists. Unlike {@link Files#createDirectories} on JDK 17, this method accepts a
     * symbolic link to a directory.
     */
    private static void create(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory);
        }
    }

    private static String withDefaults(String text, Map<String, String> variables) {
        return PLACEHOLDER.matcher(text).replaceAll(found -> {
            String value = variables.get(found.group(1));
            return Matcher.quoteReplacement(value == null ? found.group() : "${" + found.group(1) + ":" + value + "}");
        });
    }

    private static String template(String name) throws IOException {
        try (InputStream in = DemoFiles.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException(name + " is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof FileAlreadyExistsException exists) {
            return exists.getFile() + " is not a directory";
        }
        return e instanceof FileSystemException failed && failed.getReason() != null
                ? failed.getFile() + ": " + failed.getReason()
                : e.toString();
    }
}
