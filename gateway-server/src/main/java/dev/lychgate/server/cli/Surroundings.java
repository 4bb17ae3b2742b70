package dev.lychgate.server.cli;

import dev.lychgate.server.engine.GatewayEngine;
import dev.lychgate.server.yaml.Environment;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * The environment in which a command runs: the real process, or a replacement in tests.
 *
 * @param environment environment variables for placeholders and defaults
 * @param onShutdown registers a thread that starts when the process is stopped
 */
public record Surroundings(
        GatewayEngine engine,
        Environment environment,
        PrintWriter out,
        PrintWriter err,
        Consumer<Thread> onShutdown,
        Signals signals) {
    Surroundings with(Environment other) {
        return new Surroundings(engine, other, out, err, onShutdown, signals);
    }

    public static Surroundings ofProcess(GatewayEngine engine) {
        return new Surroundings(
                engine,
                Environment.PROCESS,
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                Runtime.getRuntime()::addShutdownHook,
                Signals.PROCESS);
    }
}
