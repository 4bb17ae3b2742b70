package dev.lychgate.server.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.yaml.Fault;
import dev.lychgate.server.yaml.FaultyConfigException;
import dev.lychgate.server.yaml.LoadedConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code check}: says whether a file would be accepted. */
@Command(
        name = "check",
        description =
                "Checks a configuration: 'ok', or the list of its faults on standard error; warnings go there, too.",
        footer = {"  lychgate check --config config/gateway.yml", "  lychgate check --json"})
final class CheckCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin
    private final ConfigOption config;

    @Mixin
    private final JsonOption json = new JsonOption();

    CheckCommand(Surroundings surroundings, ConfigOption outer) {
        this.surroundings = surroundings;
        this.config = new ConfigOption(outer);
    }

    @Override
    public Integer call() throws Exception {
        try {
            LoadedConfig loaded = config.load(surroundings);
            List<String> unwise = surroundings.engine().check(config.file(surroundings), surroundings.environment());
            List<String> warnings = new ArrayList<>(surroundings.engine().warnings(loaded.config()));
            warnings.addAll(unwise);
            if (json.isGiven()) {
                print(List.of(), warnings);
            } else {
                warnings.forEach(warning -> surroundings.err().println("warning: " + warning));
                surroundings.out().println("ok");
            }
            return ExitCode.OK;
        } catch (FaultyConfigException e) {
            if (!json.isGiven()) {
                throw e;
            }
            print(e.faults(), List.of());
            return ExitCode.CONFIGURATION;
        }
    }

    private void print(List<Fault> faults, List<String> warnings) {
        surroundings.out().println(JsonText.of(generator -> {
            generator.writeStartObject();
            generator.writeBooleanField("ok", faults.isEmpty());
            generator.writeArrayFieldStart("faults");
            for (Fault fault : faults) {
                write(generator, fault);
            }
            generator.writeEndArray();
            generator.writeArrayFieldStart("warnings");
            for (String warning : warnings) {
                generator.writeString(warning);
            }
            generator.writeEndArray();
            generator.writeEndObject();
        }));
    }

    private static void write(JsonGenerator generator, Fault fault) throws IOException {
        generator.writeStartObject();
        generator.writeStringField("file", fault.file());
        if (fault.line() > 0) {
            generator.writeNumberField("line", fault.line());
            generator.writeNumberField("column", fault.column());
        }
        generator.writeStringField("key", fault.key());
        generator.writeStringField("problem", fault.problem());
        generator.writeStringField("expected", fault.expected());
        generator.writeEndObject();
    }
}
