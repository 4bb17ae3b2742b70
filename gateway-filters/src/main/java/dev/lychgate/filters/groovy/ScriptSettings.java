package dev.lychgate.filters.groovy;

import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.FilterPhase;
import groovy.lang.Closure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a script has said about its filter.
 *
 * @param script its class
 * @param onFailure null for the default of the phase
 * @param applies null if the filter wants to see every exchange
 * @param selfCheck null if there is nothing to check
 */
record ScriptSettings(
        Class<?> script,
        String name,
        FilterPhase phase,
        int order,
        Duration timeout,
        @Nullable FailurePolicy onFailure,
        BodyNeed body,
        @Nullable Closure<?> applies,
        @Nullable Closure<?> selfCheck) {}
