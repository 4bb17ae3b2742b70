package dev.lychgate.server.yaml;

import dev.lychgate.config.ExtensionConfig;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.Key;
import dev.lychgate.server.extensions.OpenExtension;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** What all parts of one reading share: the faults found, the environment, and in a survey the keys. */
final class Reading {
    final String file;
    final Faults faults;
    final Placeholders placeholders;
    final CrossReferences references = new CrossReferences();
    /** By the names of the filters that they contribute. */
    final Map<String, OpenExtension> contributors = new LinkedHashMap<>();
    /** By their patterns; only in a survey, like the next field. */
    final Map<String, Key<?>> declared = new LinkedHashMap<>();

    final Map<String, Set<Constraint>> constraints = new LinkedHashMap<>();

    /** True if there is no file: every list is then visited once, so that every key is requested. */
    final boolean survey;

    /** Reads an item of a list of filters. Here and below a function, so that this class does not depend on readers. */
    final Function<Element, FilterConfig> filters;
    /** Reads the sections of extensions. */
    final Function<Element, Map<String, ExtensionConfig>> extensions;

    /**
     * @param survey true if there is no file: every list is then visited once, so that every key is requested
     */
    Reading(
            String file,
            Environment environment,
            boolean survey,
            Function<Element, FilterConfig> filters,
            Function<Element, Map<String, ExtensionConfig>> extensions) {
        this.filters = filters;
        this.extensions = extensions;
        this.file = file;
        this.faults = new Faults(file);
        this.placeholders = new Placeholders(environment);
        this.survey = survey;
    }

    /** A path as it is used by the process: in a file, it is relative to the file. */
    String path(Position place, String text) {
        return text.isBlank()
                ? text
                : Path.of(place.in(file)).resolveSibling(text).toString();
    }

    Element root(@Nullable Node node) {
        return new Element(this, Trail.ROOT, node, node == null ? Position.START : Position.of(node));
    }
}
