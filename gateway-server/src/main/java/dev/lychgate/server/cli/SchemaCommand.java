package dev.lychgate.server.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import picocli.CommandLine.Command;

/** {@code schema}: prints the JSON Schema of the configuration, for editors. */
@Command(
        name = "schema",
        description = "Prints the JSON Schema of the configuration, with which editors complete and check keys.",
        footer = {"  lychgate schema > gateway.schema.json"})
final class SchemaCommand extends SubCommand {
    /** The schema in the jar, a copy of {@code config/gateway.schema.json}. */
    private static final String SCHEMA = "/dev/lychgate/server/gateway.schema.json";

    @Override
    public Integer call() throws IOException {
        try (InputStream schema = SchemaCommand.class.getResourceAsStream(SCHEMA)) {
            byte[] whole = Objects.requireNonNull(schema, SCHEMA).readAllBytes();
            surroundings().out().print(new String(whole, StandardCharsets.UTF_8));
        }
        return ExitCode.OK;
    }
}
