package dev.lychgate.oidc;

import dev.lychgate.testing.ModuleArchitecture;
import java.util.List;

class ArchitectureTest extends ModuleArchitecture {
    ArchitectureTest() {
        super(List.of("dev.lychgate.oidc"), List.of());
    }
}
