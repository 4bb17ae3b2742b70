package dev.lychgate.server.cli;

import dev.lychgate.config.ConfigException;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.server.yaml.Fault;
import dev.lychgate.server.yaml.FaultyConfigException;
import dev.lychgate.server.yaml.LoadedConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * {@code --config}, for the commands that read a configuration file. The option may also precede the name of the
 * command.
 */
final class ConfigOption {
    private static final Path USUAL = Path.of("config", "gateway.yml");

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "The configuration file; default config/gateway.yml in the working directory, else in the"
                    + " directory in which the launcher is installed.")
    private @Nullable Path file;

    /** Returns an option as if the user had given {@code file}. */
    static ConfigOption of(Path file) {
        ConfigOption option = new ConfigOption();
        option.file = file;
        return option;
    }

    /**
     * Returns this option if the user gave it. Otherwise returns {@code outer}, the option before the command's name.
     */
    ConfigOption or(ConfigOption outer) {
        return isGiven() ? this : outer;
    }

    boolean isGiven() {
        return file != null;
    }

    /** Returns the given file; null if the option was not given. */
    @Nullable
    Path given() {
        return file;
    }

    /**
     * Reads the file, and validates the configuration with the engine.
     *
     * @throws FaultyConfigException with all errors that reading and validation found
     */
    LoadedConfig load(Surroundings surroundings) throws FaultyConfigException {
        LoadedConfig loaded = new ConfigReader(surroundings.environment()).read(file(surroundings));
        List<ConfigException> refused = surroundings.engine().faults(loaded.config());
        if (!refused.isEmpty()) {
            List<Fault> faults = refused.stream().map(loaded.places()::fault).toList();
            throw new FaultyConfigException(faults);
        }
        return loaded;
    }

    /** Returns the file that the user gave, or the default file if the user gave none. */
    Path file(Surroundings surroundings) {
        if (file != null) {
            return file;
        }
        String home = surroundings.environment().get("LYCHGATE_HOME");
        if (home != null && !home.isEmpty() && !Files.exists(USUAL)) {
            return Path.of(home).resolve(USUAL);
        }
        return USUAL;
    }
}
