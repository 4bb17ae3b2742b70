package dev.lychgate.server.reload;

import dev.lychgate.server.filters.FilterAssembly;

/**
 * A generation that is built, but not necessarily in use.
 *
 * @param assembly its settings and filters
 * @param files the files that it was built from
 * @param release releases the filters of the directory; runs once, when the generation cannot be used again
 */
record BuiltGeneration(FilterAssembly assembly, FilesRead files, Runnable release) {
    /** Returns this generation with other files, which differ only in certificates: each swap reads those again. */
    BuiltGeneration with(FilesRead others) {
        return new BuiltGeneration(assembly, others, release);
    }

    /** Releases the filters of the directory. Exchanges may still use them. */
    void forget() {
        release.run();
    }

    /** Releases all filters and closes the extensions. No exchange uses them, now or later. */
    void close() {
        release.run();
        assembly.close();
    }
}
