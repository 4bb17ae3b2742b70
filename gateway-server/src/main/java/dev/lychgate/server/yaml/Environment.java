package dev.lychgate.server.yaml;

import org.jspecify.annotations.Nullable;

/** Where <code>${NAME}</code> is looked up: the process's environment, or a test's. */
@FunctionalInterface
public interface Environment {
    /** The environment of this process. */
    Environment PROCESS = System::getenv;

    /** The value of a variable, or null if it is not set. Set but empty counts as set. */
    @Nullable
    String get(String name);
}
