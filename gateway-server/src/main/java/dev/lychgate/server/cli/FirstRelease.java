package dev.lychgate.server.cli;

import dev.lychgate.config.FleetConfig;
import dev.lychgate.fleet.FleetException;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.fleet.FleetStart;

/**
 * The release with which a node of a fleet starts. A separate class, so that gateways without a fleet do not load the
 * classes for fleets.
 */
final class FirstRelease {
    private FirstRelease() {}

    static void select(FleetConfig fleet) throws StartException {
        try {
            FleetStart.select(fleet);
        } catch (FleetException e) {
            throw new StartException(e.reason(), ExitCode.CONFIGURATION);
        }
    }
}
