package dev.lychgate.server.reload;

import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.yaml.Environment;
import java.nio.file.Path;
import java.util.function.Function;

/** A configuration file and its filters, built to be looked at. */
public final class FilesSeen {
    private FilesSeen() {}

    /**
     * Builds what a gateway would be made of, and lets go of it again. Constructors and scripts of filters run; their
     * self-checks don't.
     *
     * @throws RefusedException with all that is wrong with the files
     * @throws dev.lychgate.config.ConfigException if filters that others bring can't be had
     */
    public static <T> T look(Path file, Environment environment, Function<FilterAssembly, T> eyes)
            throws RefusedException, InterruptedException {
        GenerationBuilder builder = new GenerationBuilder(file, environment, new GroovyFilters());
        BuiltGeneration built = builder.build(builder.readRest(builder.read()));
        try {
            return eyes.apply(built.assembly());
        } finally {
            built.close();
        }
    }
}
