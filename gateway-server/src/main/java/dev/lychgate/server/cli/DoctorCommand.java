package dev.lychgate.server.cli;

import dev.lychgate.server.doctor.Examination;
import dev.lychgate.server.doctor.Finding;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.yaml.FaultyConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code doctor}: reports problems that would prevent a gateway from starting on this machine, or would harm it under
 * load.
 */
@Command(
        name = "doctor",
        description = {
            "Examines this machine and a configuration: descriptors, memory, kernel settings, names, certificates,",
            "clock and directories. The exit code is 0 if there is no problem, and 1 otherwise."
        },
        footer = {"  lychgate doctor", "  lychgate doctor --config config/gateway.yml --json"})
final class DoctorCommand extends SubCommand {
    @Mixin
    private final ConfigOption config = new ConfigOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        List<Finding> findings = findings();
        if (json.isGiven()) {
            print(new JsonObject()
                    .with("ok", isHealthy(findings))
                    .with("findings", findings.stream().map(DoctorCommand::json).toList()));
        } else {
            findings.forEach(each -> print("%-8s %-16s %s".formatted(word(each.level()), each.topic(), each.text())));
        }
        return isHealthy(findings) ? ExitCode.OK : ExitCode.FAILED;
    }

    private List<Finding> findings() {
        List<Finding> all = new ArrayList<>(Examination.ofMachine());
        ConfigOption given = config.or(outer());
        try {
            all.addAll(Examination.of(given.load(surroundings()).config(), given.file(surroundings())));
        } catch (FaultyConfigException e) {
            e.faults().forEach(fault -> all.add(new Finding(Finding.Level.PROBLEM, "configuration", fault.toString())));
        }
        return all;
    }

    private static boolean isHealthy(List<Finding> findings) {
        return findings.stream().noneMatch(each -> each.level() == Finding.Level.PROBLEM);
    }

    private static String word(Finding.Level level) {
        return level.name().toLowerCase(Locale.ROOT);
    }

    private static JsonObject json(Finding each) {
        return new JsonObject()
                .with("level", word(each.level()))
                .with("topic", each.topic())
                .with("text", each.text());
    }
}
