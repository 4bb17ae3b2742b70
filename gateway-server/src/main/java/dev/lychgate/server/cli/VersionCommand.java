package dev.lychgate.server.cli;

import dev.lychgate.server.json.JsonText;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code version}: prints the version of the gateway and of the JVM. */
@Command(
        name = "version",
        description = "Prints the version of the gateway and of the JVM.",
        footer = {"  lychgate version", "  lychgate version --json"})
final class VersionCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin
    private final JsonOption json = new JsonOption();

    VersionCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (!json.isGiven()) {
            for (String line : new Version().getVersion()) {
                surroundings.out().println(line);
            }
            return ExitCode.OK;
        }
        surroundings.out().println(JsonText.of(generator -> {
            generator.writeStartObject();
            generator.writeStringField("version", Version.ours());
            generator.writeStringField("java", System.getProperty("java.runtime.version"));
            generator.writeStringField("vm", System.getProperty("java.vm.name"));
            generator.writeStringField("os", System.getProperty("os.name"));
            generator.writeStringField("architecture", System.getProperty("os.arch"));
            generator.writeEndObject();
        }));
        return ExitCode.OK;
    }
}
