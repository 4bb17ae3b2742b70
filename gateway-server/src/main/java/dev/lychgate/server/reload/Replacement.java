package dev.lychgate.server.reload;

import dev.lychgate.generation.Generation;
import dev.lychgate.server.filters.FilterAssembly;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Builds generations from files and puts them into force. Blocks; used by one thread at a time. */
record Replacement(Logger log, GenerationBuilder builder, Swap gateway) {
    /**
     * Replaces the running generation by a generation of other files. If only the values of properties differ, the
     * filters stay loaded.
     *
     * @param running the running generation; null if there is none, or if its filters must be built again
     * @throws RefusedException if the files are refused; the running generation stays in force
     */
    SwappedIn by(FilesRead files, History.@Nullable Taken running, String why)
            throws RefusedException, InterruptedException {
        if (running != null && files.differsInProperties(running.built().files())) {
            BuiltGeneration changed = builder.changed(running.built(), files);
            log.info("{}; only properties changed, so the filters stay loaded", why);
            return new SwappedIn(swap(changed.assembly(), files), changed);
        }
        BuiltGeneration next = builder.build(files);
        builder.gate().check(next, running == null ? null : running.built().files());
        try {
            return new SwappedIn(swap(next.assembly(), files), next);
        } catch (RefusedException | Error e) {
            next.close();
            throw e;
        }
    }

    /**
     * Replaces the running generation by a generation with other secrets. The gate does not run, because the filters do
     * not change, and because a revoked credential must not stay valid during tests.
     *
     * @throws RefusedException if a secret is refused; the running generation stays in force
     */
    SwappedIn rotated(History.Taken running, FilesRead files, boolean restores)
            throws RefusedException, InterruptedException {
        if (!restores && files.differsInProperties(running.built().files())) {
            BuiltGeneration changed = builder.changed(running.built(), files);
            return new SwappedIn(swap(changed.assembly(), files), changed);
        }
        BuiltGeneration next = builder.build(files);
        try {
            return new SwappedIn(swap(next.assembly(), files), next);
        } catch (RefusedException | Error e) {
            next.close();
            throw e;
        }
    }

    /**
     * Swaps in an assembly.
     *
     * @throws RefusedException if it is refused; the running generation stays in force
     */
    Generation swap(FilterAssembly assembly, FilesRead files) throws RefusedException {
        try {
            return gateway.apply(assembly);
        } catch (RuntimeException | Error e) {
            throw builder.refused(files, e);
        }
    }
}
