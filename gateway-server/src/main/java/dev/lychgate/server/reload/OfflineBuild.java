package dev.lychgate.server.reload;

import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.filters.state.GenerationObjects;
import dev.lychgate.server.filters.FilterAssembly;

/** A generation that serves no requests and has separate state. The owner must close it. */
record OfflineBuild(BuiltGeneration built, GroovyFilters groovy) implements AutoCloseable {
    /** Builds generations that serve no requests. */
    interface Builds {
        OfflineBuild of(FilesRead files) throws RefusedException, InterruptedException;
    }

    FilterAssembly assembly() {
        return built.assembly();
    }

    @Override
    public void close() {
        built.close();
        groovy.alive().state().end(GenerationObjects.CLOSE_LIMIT);
    }
}
