package dev.lychgate.server.reload;

import dev.lychgate.server.filters.FilterAssembly;

/**
 * All that a generation is made of, built and not yet in use.
 *
 * @param assembly settings and filters
 * @param files what it was built from
 * @param release lets go of the filters of the directory; to be run when the generation is out of use for good
 */
record BuiltGeneration(FilterAssembly assembly, FilesRead files, Runnable release) {
    /** The same, said to be built from other files: of certificates, which are read whenever it takes over. */
    BuiltGeneration with(FilesRead others) {
        return new BuiltGeneration(assembly, others, release);
    }

    /** Lets go of what was built. Exchanges may still use it. */
    void forget() {
        release.run();
    }

    /** Ends what was built. No exchange uses it, or will use it. */
    void close() {
        release.run();
        assembly.close();
    }
}
