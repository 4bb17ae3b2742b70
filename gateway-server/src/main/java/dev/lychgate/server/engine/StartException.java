package dev.lychgate.server.engine;

import dev.lychgate.gateway.StartFailure;
import dev.lychgate.server.yaml.Fault;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Thrown if a start fails. The message has one line for the user, or one line for each error in the files. */
public final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exitCode;
    private final transient List<Fault> faults;

    public StartException(String line) {
        this(line, StartFailure.FAILED);
    }

    /** @param exitCode the exit code of the process */
    public StartException(String line, int exitCode) {
        this(line, exitCode, List.of());
    }

    /** Creates an exception for errors in the configuration and in filters. */
    public StartException(List<Fault> faults) {
        this(
                faults.stream().map(Fault::toString).collect(Collectors.joining("\n")),
                StartFailure.UNUSABLE_SETTINGS,
                faults);
    }

    private StartException(String line, int exitCode, List<Fault> faults) {
        super(line, null, false, false);
        this.exitCode = exitCode;
        this.faults = List.copyOf(faults);
    }

    /** Returns the errors in the files; empty if the start failed for another reason. */
    public List<Fault> faults() {
        return faults;
    }

    /** Converts an exception that the start of the gateway threw. */
    static StartException of(RuntimeException failure) {
        String line = String.valueOf(failure.getMessage());
        return failure instanceof StartFailure start
                ? new StartException(line, start.exitCode())
                : new StartException(line);
    }

    public int exitCode() {
        return exitCode;
    }

    /**
     * Returns an exception for an address that can't be bound.
     *
     * @param what the owner of the address, such as {@code listener main}
     * @param address as written in the settings
     */
    public static StartException unbound(String what, String address, Throwable cause) {
        return new StartException(what + " can't bind " + address + ": " + reason(cause));
    }

    private static String reason(Throwable cause) {
        String said = String.valueOf(cause.getMessage());
        String lower = said.toLowerCase(Locale.ROOT);
        if (lower.contains("already in use")) {
            return "the address is already in use";
        }
        if (lower.contains("permission denied")) {
            return "permission denied; ports below 1024 need CAP_NET_BIND_SERVICE";
        }
        if (lower.contains("cannot assign requested address") || lower.contains("can't assign requested address")) {
            return "this machine has no such address";
        }
        return said;
    }
}
