package dev.lychgate.server.cli;

import dev.lychgate.config.Quantity;
import dev.lychgate.filters.groovy.CompileReport;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.yaml.Fault;
import dev.lychgate.server.yaml.FaultyConfigException;
import dev.lychgate.server.yaml.LoadedConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code check}: reports whether a gateway would accept a configuration. */
@Command(
        name = "check",
        description =
                "Checks a configuration. Prints 'ok' if it is valid. Prints errors and warnings on standard error.",
        footer = {"  lychgate check --config config/gateway.yml", "  lychgate check --json"})
final class CheckCommand extends SubCommand {
    private static final int SLOWEST = 3;
    private static final int SLOWEST_OF_JSON = 20;

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
            List<CompileReport> times = new ArrayList<>();
            List<String> unwise =
                    surroundings.engine().check(given.file(surroundings), surroundings.environment(), times::add);
            times.removeIf(each -> each.files() == 0);
            List<String> warnings = new ArrayList<>(surroundings.engine().warnings(loaded.config()));
            warnings.addAll(unwise);
            if (json.isGiven()) {
                JsonObject all = json(List.of(), warnings);
                times.forEach(each -> all.with("compilation", json(each)));
                print(all);
            } else {
                warnings.forEach(warning -> surroundings.err().println("warning: " + warning));
                print("ok");
                times.forEach(each -> print(line(each)));
            }
            return ExitCode.OK;
        } catch (FaultyConfigException e) {
            if (!json.isGiven()) {
                throw e;
            }
            print(json(e.faults(), List.of()));
            return ExitCode.CONFIGURATION;
        } catch (StartException e) {
            if (!json.isGiven() || e.faults().isEmpty()) {
                throw e;
            }
            print(json(e.faults(), List.of()));
            return e.exitCode();
        }
    }

    private static JsonObject json(List<Fault> faults, List<String> warnings) {
        return new JsonObject()
                .with("ok", faults.isEmpty())
                .with("faults", faults.stream().map(CheckCommand::json).toList())
                .with("warnings", warnings);
    }

    private static String line(CompileReport times) {
        return "filters: compiled " + Quantity.of(times.files(), "file") + " in "
                + times.total().toMillis() + "ms; slowest: "
                + times.slowest(SLOWEST).stream()
                        .map(file -> file.file() + " " + file.time().toMillis() + "ms")
                        .collect(Collectors.joining(", "));
    }

    private static JsonObject json(CompileReport times) {
        return new JsonObject()
                .with("files", times.files())
                .with("millis", times.total().toMillis())
                .with(
                        "slowest",
                        times.slowest(SLOWEST_OF_JSON).stream()
                                .map(file -> new JsonObject()
                                        .with("file", file.file())
                                        .with("millis", file.time().toMillis()))
                                .toList());
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
