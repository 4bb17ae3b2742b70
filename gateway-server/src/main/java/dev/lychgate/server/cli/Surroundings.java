package dev.lychgate.server.cli;

import dev.lychgate.server.engine.GatewayEngine;
import dev.lychgate.server.yaml.Environment;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * The environment in which a command runs: the real process, or a replacement in tests.
 *
 * @param environment environment variables for placeholders and defaults
 * @param onShutdown registers a thread that starts when the process is stopped
 * @param in standard input
 */
public record Surroundings(
        GatewayEngine engine,
        Environment environment,
        PrintWriter out,
        PrintWriter err,
        Consumer<Thread> onShutdown,
        Signals signals,
        InputStream in) {
    /** Creates surroundings with the standard input of the process. */
    public Surroundings(
            GatewayEngine engine,
            Environment environment,
            PrintWriter out,
            PrintWriter err,
            Consumer<Thread> onShutdown,
            Signals signals) {
        this(engine, environment, out, err, onShutdown, signals, System.in);
    }

    Surroundings with(Environment other) {
        return new Surroundings(engine, other, out, err, onShutdown, signals, in);
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
