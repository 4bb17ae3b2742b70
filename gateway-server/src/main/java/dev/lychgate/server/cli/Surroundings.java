package dev.lychgate.server.cli;

import dev.lychgate.server.engine.GatewayEngine;
import dev.lychgate.server.yaml.Environment;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * What a command has around it: the process, or a test that stands in for one.
 *
 * @param engine makes gateways
 * @param environment variables for placeholders and defaults
 * @param out what was asked for goes here
 * @param err what went wrong goes here
 * @param onShutdown takes a thread that is started when the process is told to stop
 * @param signals the signals that the process receives
 */
public record Surroundings(
        GatewayEngine engine,
        Environment environment,
        PrintWriter out,
        PrintWriter err,
        Consumer<Thread> onShutdown,
        Signals signals) {
    /** Returns these surroundings with other environment variables. */
    Surroundings with(Environment other) {
        return new Surroundings(engine, other, out, err, onShutdown, signals);
    }

    /** The process itself. */
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
