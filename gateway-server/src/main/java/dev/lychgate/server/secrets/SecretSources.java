package dev.lychgate.server.secrets;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the secrets to which a configuration refers, for one reading of the configuration. Each file is read once, so
 * that all references to it get the same secret. Blocks; used by one thread.
 */
public final class SecretSources {
    /** The variable of the environment that names the file of the keys for encrypted values. */
    public static final String KEY_FILE = "LYCHGATE_KEY_FILE";

    /** The systemd credential that contains the keys for encrypted values, unless {@link #KEY_FILE} names a file. */
    static final String KEY_CREDENTIAL = "lychgate-key";

    /** The variable in which systemd names the directory of the credentials. */
    static final String CREDENTIALS = "CREDENTIALS_DIRECTORY";

    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    /** The names of credentials that systemd accepts, except {@code .} and {@code ..}. */
    private static final Pattern CREDENTIAL = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._:@+-]{1,255}");

    private final Function<String, @Nullable String> environment;
    private final Map<Path, Result> read = new HashMap<>();
    private final Set<Path> files = new LinkedHashSet<>();

    /** The result of reading a file: either {@code file} or {@code failure} is null. */
    private record Result(
            @Nullable SecretFile file, @Nullable SecretException failure) {}

    /**
     * A secret.
     *
     * @param exposed the file of the secret, if every user of the machine can read it; otherwise null
     */
    public record Found(String text, @Nullable Path exposed) {
        @Override
        public String toString() {
            return "***";
        }
    }

    /** @param environment returns the value of a variable, or null */
    public SecretSources(Function<String, @Nullable String> environment) {
        this.environment = environment;
    }

    /**
     * Returns the secret of a reference.
     *
     * @param file the configuration file that contains the reference; a path in the reference is relative to the
     *     directory of this file
     * @throws SecretException if the secret cannot be read
     */
    public Found read(SecretReference reference, Path file) throws SecretException {
        String subject = reference.subject();
        return switch (reference.source()) {
            case FILE -> found(path(file, subject), reference.remedy());
            case ENV -> new Found(variable(reference), null);
            case CREDENTIAL -> found(credential(subject), reference.remedy());
            case ENCRYPTED -> decrypted(subject);
        };
    }

    private static Path path(Path file, String subject) throws SecretException {
        try {
            return file.resolveSibling(subject).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new SecretException("a path");
        }
    }

    private Found found(Path file, String remedy) throws SecretException {
        SecretFile content = content(file, remedy);
        return new Found(content.text(), content.exposed() ? file : null);
    }

    private SecretFile content(Path file, String remedy) throws SecretException {
        files.add(file);
        Result result = read.computeIfAbsent(file, path -> {
            try {
                return new Result(SecretFile.read(path, remedy), null);
            } catch (SecretException e) {
                return new Result(null, e);
            }
        });
        if (result.failure() != null) {
            throw result.failure();
        }
        return Objects.requireNonNull(result.file());
    }

    private String variable(SecretReference reference) throws SecretException {
        String name = reference.subject();
        if (!VARIABLE.matcher(name).matches()) {
            // A default is refused, because it would be a secret in the configuration file.
            throw new SecretException(
                    "${env:NAME} with a name of letters, digits and '_', and without a default" + reference.remedy());
        }
        String value = environment.apply(name);
        if (value == null) {
            throw new SecretException("environment variable " + name + " to be set" + reference.remedy());
        }
        if (value.isBlank()) {
            throw new SecretException("a secret; environment variable " + name + " is empty");
        }
        return value;
    }

    private Path credential(String name) throws SecretException {
        if (!CREDENTIAL.matcher(name).matches()) {
            throw new SecretException("${credential:NAME} with the name of a systemd credential");
        }
        Path directory = credentials();
        if (directory == null) {
            throw new SecretException("a systemd credential: LoadCredential=" + name
                    + ":PATH in the unit, for which systemd sets " + CREDENTIALS);
        }
        return directory.resolve(name);
    }

    private @Nullable Path credentials() throws SecretException {
        String directory = environment.apply(CREDENTIALS);
        try {
            return directory == null || directory.isBlank()
                    ? null
                    : Path.of(directory).toAbsolutePath();
        } catch (InvalidPathException e) {
            throw new SecretException("a directory in " + CREDENTIALS);
        }
    }

    private Found decrypted(String sealed) throws SecretException {
        Path file = keyFile();
        SecretFile content = content(file, "; lychgate secret key writes a key file");
        String text = SealedSecret.open(sealed, KeyFile.parse(content.text(), file));
        return new Found(text, content.exposed() ? file : null);
    }

    /**
     * Returns the file of the keys.
     *
     * @throws SecretException if there is none
     */
    public Path keyFile() throws SecretException {
        String named = environment.apply(KEY_FILE);
        if (named != null && !named.isBlank()) {
            try {
                return Path.of(named).toAbsolutePath();
            } catch (InvalidPathException e) {
                throw new SecretException("a path in " + KEY_FILE);
            }
        }
        Path directory = credentials();
        if (directory == null) {
            throw new SecretException("a key: set " + KEY_FILE
                    + " to the path of the file that lychgate secret key has written, or load this file as the systemd"
                    + " credential "
                    + KEY_CREDENTIAL);
        }
        return directory.resolve(KEY_CREDENTIAL);
    }

    /** Returns the files that were read or are missing, including the file of the keys. */
    public Set<Path> files() {
        return Set.copyOf(files);
    }
}
