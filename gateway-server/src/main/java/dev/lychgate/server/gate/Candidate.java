package dev.lychgate.server.gate;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GroovyFilters;
import org.jspecify.annotations.Nullable;

/**
 * A generation that was built but has not taken effect.
 *
 * @param config the settings of the generation, including the settings of the gate and of the filter directory
 * @param filters the files of the filter directory; null if there is no directory
 * @param groovy the builder that has compiled these files
 */
public record Candidate(GatewayConfig config, @Nullable FilterSources filters, GroovyFilters groovy) {}
