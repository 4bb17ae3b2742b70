package dev.lychgate.server.cli;

import dev.lychgate.server.yaml.LoadedConfig;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code check}: says whether a file would be accepted. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Checks a configuration: 'ok', or the list of its faults on standard error; warnings go there, too.")
final class CheckCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin
    private final ConfigOption config;

    CheckCommand(Surroundings surroundings, ConfigOption outer) {
        this.surroundings = surroundings;
        this.config = new ConfigOption(outer);
    }

    @Override
    public Integer call() throws Exception {
        LoadedConfig loaded = config.load(surroundings);
        List<String> unwise = surroundings.engine().check(config.file(surroundings), surroundings.environment());
        List<String> warnings = surroundings.engine().warnings(loaded.config());
        Stream.concat(warnings.stream(), unwise.stream())
                .forEach(warning -> surroundings.err().println("warning: " + warning));
        surroundings.out().println("ok");
        return 0;
    }
}
