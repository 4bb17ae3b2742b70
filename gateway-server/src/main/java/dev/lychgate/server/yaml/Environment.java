package dev.lychgate.server.yaml;

import org.jspecify.annotations.Nullable;

/** The environment variables for <code>${NAME}</code>: the variables of the process, or of a test. */
@FunctionalInterface
public interface Environment {
    Environment PROCESS = System::getenv;

    /** Returns the value of a variable, or null if it is not set. A variable with an empty value counts as set. */
    @Nullable
    String get(String name);
}
