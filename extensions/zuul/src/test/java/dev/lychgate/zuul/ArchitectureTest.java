package dev.lychgate.zuul;

import dev.lychgate.testing.ModuleArchitecture;
import java.util.List;

class ArchitectureTest extends ModuleArchitecture {
    ArchitectureTest() {
        super(
                List.of(
                        "dev.lychgate.zuul",
                        "dev.lychgate.zuul.servlet",
                        // The packages of Zuul depend on each other.
                        "com.netflix..",
                        "org.springframework..",
                        "dev.lychgate.zuul.bound"),
                List.of());
    }
}
