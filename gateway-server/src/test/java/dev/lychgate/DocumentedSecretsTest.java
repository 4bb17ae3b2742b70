package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.cli.LychgateCommand;
import dev.lychgate.server.cli.Signals;
import dev.lychgate.server.cli.Surroundings;
import dev.lychgate.server.engine.DataPlaneEngine;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files and commands of docs/secrets.md, in their order. */
@Tag("slow")
class DocumentedSecretsTest {
    private static final Path PAGE = Path.of("../docs/secrets.md");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```([^\\n`]*)\\n(.*?)^```$");
    private static final Pattern LYCHGATE = Pattern.compile("bin/lychgate ([^<>]+)(?: < (\\S+))?(?: > (\\S+))?");

    @TempDir
    Path home = Path.of("");

    private final Map<String, String> environment = new HashMap<>();
    private final List<String> outputs = new ArrayList<>();

    @Test
    void everyFileAndCommandDoesAsThePageStates() throws Exception {
        String page = Files.readString(PAGE);
        page = page.substring(0, page.indexOf("## Reference"));
        String last = "";
        for (MatchResult block : BLOCK.matcher(page).results().toList()) {
            String language = block.group(1);
            if (language.startsWith("yaml ")) {
                write(language.substring("yaml ".length()), block.group(2));
            } else if (language.equals("sh")) {
                last = shell(block.group(2));
            } else if (language.isEmpty()) {
                for (String line : block.group(2).lines().toList()) {
                    assertThat(last).contains(line);
                }
            }
        }
        assertThat(outputs).hasSize(6);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("secrets/admin-token"))))
                .isEqualTo("rw-------");
        environment.put("LYCHGATE_KEY_FILE", home.resolve("lychgate.key").toString());
        assertThat(lychgate("check --config encrypted.yml", "")).isEqualTo("ok\n");
        Path credentials = Files.createDirectory(home.resolve("credentials"));
        environment.put("CREDENTIALS_DIRECTORY", credentials.toString());
        Files.copy(home.resolve("secrets/admin-token"), credentials.resolve("admin-token"));
        assertThat(lychgate("check --config credential.yml", "")).isEqualTo("ok\n");
    }

    @Test
    void theMessagesOfTheReferenceAreThoseOfCheck() throws Exception {
        String page = Files.readString(PAGE);
        List<String> messages = BLOCK.matcher(page.substring(page.indexOf("## Reference")))
                .results()
                .map(block -> block.group(2))
                .toList();
        environment.put("ADDRESS", "127.0.0.1:8080");
        environment.put("SHORT", "short");
        write("gateway.yml", """
                listeners: [{ name: main, address: "${env:ADDRESS}" }]
                admin: { address: "127.0.0.1:8081", token: "${env:SHORT}" }
                """);
        assertThat(lychgate("check --config gateway.yml", "")).isEqualTo(String.join("", messages));
    }

    private void write(String file, String text) throws Exception {
        Files.writeString(home.resolve(file), text);
    }

    private String shell(String lines) throws Exception {
        String output = "";
        for (String line : lines.lines().toList()) {
            Matcher lychgate = LYCHGATE.matcher(line);
            if (!lychgate.matches()) {
                Process process = new ProcessBuilder("sh", "-e", "-c", line)
                        .directory(home.toFile())
                        .redirectErrorStream(true)
                        .start();
                String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(process.waitFor()).as(line + ": " + said).isZero();
                continue;
            }
            if (line.contains("encrypted.yml")) {
                write(
                        "encrypted.yml",
                        Files.readString(home.resolve("gateway.yml"))
                                .replace(
                                        "${file:secrets/partner-token}",
                                        outputs.get(outputs.size() - 2).strip()));
            }
            String in = lychgate.group(2) == null ? "" : Files.readString(home.resolve(lychgate.group(2)));
            output = lychgate(lychgate.group(1).strip(), in);
            outputs.add(output);
            if (lychgate.group(3) != null) {
                write(lychgate.group(3), output);
            }
        }
        return output;
    }

    /** Runs a command of which all paths are relative to the directory. */
    private String lychgate(String words, String input) {
        StringWriter output = new StringWriter();
        PrintWriter printer = new PrintWriter(output, true);
        InputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
        String[] args = words.split(" ", -1);
        for (int i = 1; i < args.length; i++) {
            if (args[i - 1].equals("--config") || args[i - 1].equals("--key-file")) {
                args[i] = home.resolve(args[i]).toString();
            }
        }
        LychgateCommand.execute(
                new Surroundings(
                        new DataPlaneEngine(), environment::get, printer, printer, hook -> {}, Signals.NONE, in),
                args);
        return output.toString().replace(home + "/", "");
    }
}
