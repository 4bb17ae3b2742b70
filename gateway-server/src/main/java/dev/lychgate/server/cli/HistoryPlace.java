package dev.lychgate.server.cli;

import dev.lychgate.config.HistoryConfig;
import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.server.yaml.FaultyConfigException;
import java.nio.file.Path;

/** Finds the history that belongs to a configuration file. No gateway needs to run. */
final class HistoryPlace {
    private HistoryPlace() {}

    /**
     * Returns the newest file of the history. If the configuration has errors, returns the file in the default
     * location.
     */
    static Path of(Path config, Surroundings surroundings) {
        HistoryConfig settings = null;
        try {
            settings = new ConfigReader(surroundings.environment())
                    .read(config)
                    .config()
                    .lifecycle()
                    .history();
        } catch (FaultyConfigException e) {
            surroundings
                    .err()
                    .println("lychgate: " + config
                            + " is faulty or missing; reading the history in its default location");
        }
        return ChangeHistory.file(config, settings == null ? HistoryConfig.DEFAULT : settings);
    }
}
