package dev.lychgate.server.yaml;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** What all parts of one reading share: the faults found, the environment, and the keys that were asked for. */
final class Reading {
    final String file;
    final Faults faults;
    final Placeholders placeholders;
    final Set<String> knownKeys = new LinkedHashSet<>();
    final Set<String> laterKeys = new LinkedHashSet<>();

    /** True if there is no file: every list is then visited once, so that every key is asked for. */
    final boolean survey;

    private Reading(String file, Environment environment, boolean survey) {
        this.file = file;
        this.faults = new Faults(file);
        this.placeholders = new Placeholders(environment);
        this.survey = survey;
    }

    static Reading of(String file, Environment environment) {
        return new Reading(file, environment, false);
    }

    static Reading survey() {
        return new Reading("survey", name -> null, true);
    }

    Element root(@Nullable Node node) {
        return new Element(this, Trail.ROOT, node, node == null ? Position.START : Position.of(node));
    }
}
