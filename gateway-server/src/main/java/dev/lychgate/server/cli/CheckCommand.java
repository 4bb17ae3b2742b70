package dev.lychgate.server.cli;

import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.yaml.Fault;
import dev.lychgate.server.yaml.FaultyConfigException;
import dev.lychgate.server.yaml.LoadedConfig;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code check}: reports whether a file would be accepted. */
@Command(
        name = "check",
        description = "Checks a configuration: prints 'ok', or its faults on standard error; warnings go there, too.",
        footer = {"  lychgate check --config config/gateway.yml", "  lychgate check --json"})
final class CheckCommand extends SubCommand {
    @Mixin
    private final ConfigOption config = new ConfigOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Override
    public Integer call() throws Exception {
        Surroundings surroundings = surroundings();
        ConfigOption given = config.or(outer());
        try {
            LoadedConfig loaded = given.load(surroundings);
            List<String> unwise = surroundings.engine().check(given.file(surroundings), surroundings.environment());
            List<String> warnings = new ArrayList<>(surroundings.engine().warnings(loaded.config()));
            warnings.addAll(unwise);
            if (json.isGiven()) {
                print(List.of(), warnings);
            } else {
                warnings.forEach(warning -> surroundings.err().println("warning: " + warning));
                print("ok");
            }
            return ExitCode.OK;
        } catch (FaultyConfigException e) {
            if (!json.isGiven()) {
                throw e;
            }
            print(e.faults(), List.of());
            return ExitCode.CONFIGURATION;
        } catch (StartException e) {
            if (!json.isGiven() || e.faults().isEmpty()) {
                throw e;
            }
            print(e.faults(), List.of());
            return e.exitCode();
        }
    }

    private void print(List<Fault> faults, List<String> warnings) {
        print(new JsonObject()
                .with("ok", faults.isEmpty())
                .with("faults", faults.stream().map(CheckCommand::json).toList())
                .with("warnings", warnings));
    }

    private static JsonObject json(Fault fault) {
        JsonObject json = new JsonObject().with("file", fault.file());
        if (fault.line() > 0) {
            json.with("line", fault.line());
        }
        if (fault.column() > 0) {
            json.with("column", fault.column());
        }
        return json.with("key", fault.key()).with("problem", fault.problem()).with("expected", fault.expected());
    }
}
