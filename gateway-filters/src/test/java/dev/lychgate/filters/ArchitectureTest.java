package dev.lychgate.filters;

import dev.lychgate.testing.ModuleArchitecture;
import java.util.List;

/** Architecture of the built-in filters and of the languages for filters. */
class ArchitectureTest extends ModuleArchitecture {
    private static final String TESTING = "dev.lychgate.filters.testing";
    private static final String LIBRARIES = "dev.lychgate.filters.libraries";
    private static final String STATE = "dev.lychgate.filters.state";
    private static final String GROOVY = "dev.lychgate.filters.groovy";

    ArchitectureTest() {
        super(
                List.of(
                        TESTING,
                        GROOVY,
                        LIBRARIES,
                        "dev.lychgate.filters.rx",
                        "dev.lychgate.filters.builtin",
                        "dev.lychgate.filters.coding",
                        STATE,
                        "dev.lychgate.filters.settings"),
                // One waits for a test to end, one for files to settle, one for objects to close, and one locks a class
                // while it is loaded, as every class loader does. None of them runs on an event loop.
                List.of(TESTING, GROOVY, LIBRARIES, STATE));
    }
}
