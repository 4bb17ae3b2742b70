package dev.lychgate.identity;

import dev.lychgate.testing.ModuleArchitecture;
import java.util.List;

class ArchitectureTest extends ModuleArchitecture {
    ArchitectureTest() {
        super(
                List.of("dev.lychgate.identity"),
                // Threads of the extension remember tokens under a lock; event loops take none.
                List.of("dev.lychgate.identity"));
    }
}
