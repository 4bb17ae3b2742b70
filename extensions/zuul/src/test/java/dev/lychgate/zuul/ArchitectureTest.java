package dev.lychgate.zuul;

import dev.lychgate.testing.ModuleArchitecture;
import java.util.List;

class ArchitectureTest extends ModuleArchitecture {
    ArchitectureTest() {
        super(
                List.of(
                        "dev.lychgate.zuul",
                        "dev.lychgate.zuul.servlet",
                        "com.netflix.zuul.filters",
                        "com.netflix.zuul",
                        "com.netflix.zuul.http",
                        "com.netflix.zuul.util",
                        "com.netflix.zuul.context",
                        "com.netflix.zuul.exception",
                        "com.netflix.zuul.constants",
                        "com.netflix.config",
                        "com.netflix.util",
                        "dev.lychgate.zuul.bound"),
                List.of());
    }
}
