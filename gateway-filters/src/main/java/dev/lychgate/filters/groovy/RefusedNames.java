package dev.lychgate.filters.groovy;

import java.util.List;
import org.codehaus.groovy.ast.ClassNode;

/** Class names that filter code may not take: they would stand in front of the gateway's own classes, or behind them. */
final class RefusedNames {
    private static final List<String> PREFIXES = List.of(
            "dev.lychgate.",
            "java.",
            "javax.",
            "jdk.",
            "sun.",
            "groovy.",
            "org.codehaus.groovy.",
            "org.apache.groovy.");

    private RefusedNames() {}

    static void look(FilterSourceUnit unit, ClassNode type) {
        String name = type.getName();
        for (String prefix : PREFIXES) {
            if (name.startsWith(prefix)) {
                unit.fault("class " + name + " is in a package that is not for filters: " + prefix + "*", type);
                return;
            }
        }
        // Ours would be taken in place of the filter's, and nobody would see why.
        if (RefusedNames.class.getClassLoader().getResource(name.replace('.', '/') + ".class") != null) {
            unit.fault("there is a class " + name + " in the gateway already", type);
        }
    }
}
