package dev.lychgate.server.reload;

import dev.lychgate.filters.state.GenerationObjects;
import dev.lychgate.loop.SerialExecutor;
import dev.lychgate.server.admin.Proposals;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Performs dry runs: reads and builds files as a reload does, and releases the result. A dry run has a separate builder
 * and thread, so that a dry run and a reload do not wait for each other. A dry run uses no state, object or file of the
 * running generation.
 */
final class Rehearsal implements Proposals, AutoCloseable {
    private final GenerationBuilder builder;
    private final Swap gateway;
    private final Supplier<History.@Nullable Taken> running;
    private final SerialExecutor thread = SerialExecutor.passing("lychgate-dry-run");

    /** @param running returns the generation in force; null after the reloader was closed */
    Rehearsal(GenerationBuilder builder, Swap gateway, Supplier<History.@Nullable Taken> running) {
        this.builder = builder;
        this.gateway = gateway;
        this.running = running;
    }

    @Override
    public CompletableFuture<Result> dryRun() {
        return later(true);
    }

    @Override
    public CompletableFuture<Result> compare() {
        return later(false);
    }

    private CompletableFuture<Result> later(boolean build) {
        try {
            return CompletableFuture.supplyAsync(() -> result(build), thread);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(refused("the gateway has been stopped"));
        }
    }

    /**
     * Builds and checks a release of the fleet on the calling thread, and releases the build.
     *
     * @param release the directory of the release
     */
    Result ofRelease(Path release) {
        return result(true, builder.ofRelease(release));
    }

    private static Result refused(String why) {
        return new Result.Refused(List.of(why));
    }

    private Result result(boolean build) {
        return result(build, builder.isolated());
    }

    private Result result(boolean build, GenerationBuilder own) {
        History.Taken now = running.get();
        if (now == null) {
            return refused("the gateway has been stopped");
        }
        try {
            FilesRead files = own.readRest(own.read());
            List<String> warnings = new ArrayList<>(files.warnings());
            boolean same = files.isSameAs(now.built().files());
            if (build && !same) {
                warnings.addAll(built(own, files, now.built().files()));
            }
            return new Result.Proposed(now.number(), now.built().files().content(), files.content(), !same, warnings);
        } catch (RefusedException e) {
            return new Result.Refused(e.faults());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return refused("interrupted");
        }
    }

    /**
     * Builds and checks a generation from the files, and then releases it.
     *
     * @return warnings, one line each
     */
    private List<String> built(GenerationBuilder own, FilesRead files, FilesRead current)
            throws RefusedException, InterruptedException {
        try {
            BuiltGeneration next = own.build(files);
            try {
                List<String> warnings = builder.gate().verdict(files, current, own.groovy());
                gateway.verify(next.assembly());
                return warnings;
            } catch (RuntimeException | Error e) {
                throw own.refused(files, e);
            } finally {
                next.close();
            }
        } finally {
            own.groovy().alive().state().end(GenerationObjects.CLOSE_LIMIT);
        }
    }

    @Override
    public int abandonedTests() {
        return builder.gate().abandoned();
    }

    @Override
    public void close() {
        thread.close();
    }
}
