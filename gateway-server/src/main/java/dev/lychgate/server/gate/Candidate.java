package dev.lychgate.server.gate;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GroovyFilters;
import org.jspecify.annotations.Nullable;

/**
 * A generation that was built and has not taken effect.
 *
 * @param config its settings, with the gate and the filter directory
 * @param filters the files of the directory; null without directory
 * @param groovy the builder that has compiled them
 */
public record Candidate(GatewayConfig config, @Nullable FilterSources filters, GroovyFilters groovy) {}
