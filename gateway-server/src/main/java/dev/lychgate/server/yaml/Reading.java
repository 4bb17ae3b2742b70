package dev.lychgate.server.yaml;

import dev.lychgate.config.ExtensionConfig;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.Key;
import dev.lychgate.server.extensions.OpenExtension;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** The objects that all parts of one reading share, such as the errors, the environment and, in a survey, the keys. */
final class Reading extends FileReading {
    final CrossReferences references = new CrossReferences();
    /**
     * The configured extensions, by the kinds and names of their contributions: {@code filter NAME}, {@code
     * authenticator NAME} or {@code authorizer NAME}.
     */
    final Map<String, OpenExtension> contributors = new LinkedHashMap<>();
    /** The declared keys, by their patterns. Only a survey fills this field. */
    final Map<String, Key<?>> declared = new LinkedHashMap<>();

    final Map<String, Set<Constraint>> constraints = new LinkedHashMap<>();

    /** True if there is no file. Every list is then visited once, so that every key is requested. */
    final boolean survey;

    /**
     * Reads a contributed item, such as a filter, an authenticator or an authorizer. The second parameter is the kind
     * of the item. This field is a function, so that this class does not depend on the readers.
     */
    final BiFunction<Element, String, FilterConfig> filters;
    /** Reads the sections of extensions. */
    final Function<Element, Map<String, ExtensionConfig>> extensions;

    /** @param survey true if there is no file; every list is then visited once, so that every key is requested */
    Reading(
            String file,
            Environment environment,
            boolean survey,
            BiFunction<Element, String, FilterConfig> filters,
            Function<Element, Map<String, ExtensionConfig>> extensions) {
        super(file, environment);
        this.filters = filters;
        this.extensions = extensions;
        this.survey = survey;
    }

    Element root(@Nullable Node node) {
        return new Element(this, Trail.ROOT, node, node == null ? Position.START : Position.of(node));
    }
}
