package dev.lychgate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The module names of the jars; runs after packaging. */
class ModuleNamesIT {
    private static final List<String> JARS = List.of("core", "filters", "server");

    private static ModuleReference module(String name) throws IOException {
        Path target = Path.of("..", "gateway-" + name, "target");
        try (Stream<Path> jars = Files.list(target)) {
            Path jar = jars.filter(file -> file.getFileName()
                            .toString()
                            .matches("gateway-" + name + "-[0-9].*(?<!-tests|-sources|-javadoc)\\.jar"))
                    .findFirst()
                    .orElseThrow();
            return ModuleFinder.of(jar).findAll().iterator().next();
        }
    }

    @Test
    void everyJarHasAModuleNameThatDoesNotDependOnItsFile() throws IOException {
        for (String name : JARS) {
            assertThat(module(name).descriptor().name()).isEqualTo("dev.lychgate." + name);
        }
    }

    /** A program does not start with a package in two modules. */
    @Test
    void noPackageIsInTwoJars() throws IOException {
        Set<String> packages = new HashSet<>();
        for (String name : JARS) {
            for (String found : module(name).descriptor().packages()) {
                assertThat(packages.add(found)).as(found).isTrue();
            }
        }
    }
}
