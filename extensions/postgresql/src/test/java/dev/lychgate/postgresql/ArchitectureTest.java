package dev.lychgate.postgresql;

import dev.lychgate.testing.ModuleArchitecture;
import java.util.List;

class ArchitectureTest extends ModuleArchitecture {
    ArchitectureTest() {
        super(List.of("dev.lychgate.postgresql"), List.of());
    }
}
