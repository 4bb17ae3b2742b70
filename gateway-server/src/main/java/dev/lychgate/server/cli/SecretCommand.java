package dev.lychgate.server.cli;

import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.secrets.KeyFile;
import dev.lychgate.server.secrets.SealedSecret;
import dev.lychgate.server.secrets.SecretException;
import dev.lychgate.server.secrets.SecretSources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code secret}: writes keys, and encrypts values for the configuration. */
@Command(
        name = "secret",
        description = {
            "Encrypts values of the configuration, which come from standard input and never from the command line.",
            "key writes a file with a new key. encrypt prints an encrypted value. rekey prints a configuration file in",
            "which all encrypted values are encrypted again, with the first key of the key file."
        },
        footer = {
            "  lychgate secret key --key-file /etc/lychgate/key",
            "  lychgate secret encrypt --key-file /etc/lychgate/key < token.txt",
            "  lychgate secret key --add --key-file /etc/lychgate/key",
            "  lychgate secret rekey --key-file /etc/lychgate/key < gateway.yml > renewed.yml"
        })
final class SecretCommand extends SubCommand {
    /**
     * The maximum size of the input of {@code rekey} in bytes, which equals the maximum size of a configuration file.
     */
    private static final int LARGEST_FILE = 4 << 20;

    /** The actions of the command. */
    enum Action {
        key,
        encrypt,
        rekey
    }

    @Parameters(index = "0", paramLabel = "ACTION", description = "key, encrypt or rekey.")
    private Action action = Action.encrypt;

    @Parameters(index = "1", arity = "0..1", hidden = true)
    private @Nullable String value;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "The file of the keys; default that of " + SecretSources.KEY_FILE
                    + ", or the systemd credential lychgate-key.")
    private @Nullable Path file;

    @Option(
            names = "--add",
            description = "With key: adds a key before the existing keys of the file. The existing keys stay usable.")
    private boolean add;

    @Override
    public Integer call() throws Exception {
        if (value != null) {
            // The message does not repeat the argument, because it may be a secret. The shell's history and the list of
            // processes already contain the argument.
            throw new UsageException("secret " + action + " (expected: no further argument; values are read from"
                    + " standard input, so that other users and the history of the shell do not get them)");
        }
        if (add && action != Action.key) {
            throw new UsageException("secret " + action + " --add (expected: --add only with key)");
        }
        try {
            Path keys = file == null ? new SecretSources(surroundings().environment()::get).keyFile() : file;
            switch (action) {
                case key -> writeKey(keys);
                case encrypt ->
                    print(SealedSecret.seal(
                            SealedSecret.text(input(SealedSecret.LARGEST, "64 KiB")),
                            KeyFile.read(keys),
                            new SecureRandom()));
                case rekey -> {
                    String text = new String(input(LARGEST_FILE, "4 MiB"), StandardCharsets.UTF_8);
                    surroundings().out().print(SealedSecret.rekey(text, KeyFile.read(keys), new SecureRandom()));
                    surroundings().out().flush();
                }
            }
            return ExitCode.OK;
        } catch (SecretException e) {
            throw new StartException("secret " + action + ": expected " + e.expected());
        }
    }

    private void writeKey(Path keys) throws StartException, SecretException {
        try {
            String id = add ? KeyFile.add(keys, new SecureRandom()) : KeyFile.create(keys, new SecureRandom());
            print("key " + id + (add ? " added to " : " written to ") + keys);
        } catch (FileAlreadyExistsException e) {
            throw new StartException("secret key: " + keys + " exists; --add adds a key to it");
        } catch (IOException e) {
            throw new StartException("secret key: can't write " + keys + ": " + e);
        }
    }

    private byte[] input(int most, String words) throws IOException, SecretException {
        byte[] bytes = surroundings().in().readNBytes(most + 1);
        if (bytes.length > most) {
            throw new SecretException("at most " + words + " on standard input");
        }
        return bytes;
    }
}
