package dev.lychgate.server.cli;

import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.secrets.NewApiKey;
import dev.lychgate.server.secrets.SecretException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code api-key}: creates API keys, and the lines for the file of the authenticator {@code api-key}. */
@Command(
        name = "api-key",
        description = {
            "Creates API keys for the authenticator api-key of the extension identity.",
            "new prints a new key once, and a line for the file of keys, which contains only the digest of the key.",
            "digest reads an existing key from standard input, and prints the line for the file of keys."
        },
        footer = {
            "  lychgate api-key new --owner orders --claim tier=gold --expires 2027-12-31",
            "  lychgate api-key new --owner orders --file keys.txt",
            "  lychgate api-key digest --owner orders --id orders-2024 < key.txt"
        })
final class ApiKeyCommand extends SubCommand {
    private static final String NEW = "new";
    private static final String DIGEST = "digest";
    private static final int LARGEST_INPUT = 4_096;

    @Parameters(index = "0", paramLabel = "ACTION", description = "new or digest.")
    private String action = NEW;

    @Option(
            names = "--owner",
            paramLabel = "NAME",
            required = true,
            description =
                    "The owner of the key, which becomes the subject of the identity. Several keys may have one owner.")
    private String owner = "";

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "The name of the key, unique in the file; default the owner and random digits.")
    private @Nullable String id;

    @Option(
            names = "--expires",
            paramLabel = "TIME",
            description = "A date, such as 2027-12-31, or a time in UTC, at which the key expires; default never.")
    private @Nullable String expires;

    @Option(
            names = "--claim",
            paramLabel = "NAME=VALUE",
            description = "A claim of the identity, such as tier=gold. A name with several values becomes a list.")
    private List<String> claims = new ArrayList<>();

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "Appends the line to this file instead of printing it.")
    private @Nullable Path file;

    @Override
    public Integer call() throws Exception {
        boolean creates = action.equals(NEW);
        if (!creates && !action.equals(DIGEST)) {
            throw new UsageException("api-key: '" + action + "' (expected: new or digest)");
        }
        SecureRandom random = new SecureRandom();
        String name = id == null ? NewApiKey.id(owner, random) : id;
        try {
            String key = creates ? NewApiKey.random(random) : input();
            String line = NewApiKey.line(key, name, owner, expires, values());
            if (file != null) {
                NewApiKey.append(file, line, name);
            }
            if (creates) {
                print(key);
            }
            if (file == null) {
                print(line);
            }
            return ExitCode.OK;
        } catch (SecretException e) {
            throw new StartException("api-key " + action + ": expected " + e.expected());
        } catch (IOException e) {
            throw new StartException("api-key " + action + ": can't read or write " + file + ": " + e);
        }
    }

    private Map<String, List<String>> values() throws UsageException {
        Map<String, List<String>> all = new LinkedHashMap<>();
        for (String claim : claims) {
            int equals = claim.indexOf('=');
            if (equals < 1) {
                throw new UsageException("--claim '" + claim + "' (expected: NAME=VALUE)");
            }
            all.computeIfAbsent(claim.substring(0, equals), each -> new ArrayList<>())
                    .add(claim.substring(equals + 1));
        }
        return all;
    }

    /**
     * Reads a key, without the end of its line. A key is never an argument, because other users can see command lines.
     */
    private String input() throws IOException {
        byte[] bytes = surroundings().in().readNBytes(LARGEST_INPUT + 1);
        String text = new String(bytes, StandardCharsets.UTF_8);
        return text.endsWith("\r\n")
                ? text.substring(0, text.length() - 2)
                : text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }
}
