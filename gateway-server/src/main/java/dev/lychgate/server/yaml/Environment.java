package dev.lychgate.server.yaml;

import org.jspecify.annotations.Nullable;

/**
 * Provides the environment variables for <code>${NAME}</code>: the variables of the process, or other variables in a
 * test.
 */
@FunctionalInterface
public interface Environment {
    Environment PROCESS = System::getenv;

    /**
     * Returns the value of a variable; null if the variable is not set. A variable with an empty value counts as set.
     */
    @Nullable
    String get(String name);
}
