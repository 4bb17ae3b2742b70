package dev.lychgate.server.migrate;

import java.util.LinkedHashMap;
import java.util.Map;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.ImportNode;
import org.codehaus.groovy.ast.ModuleNode;
import org.jspecify.annotations.Nullable;

/**
 * Determines the qualified names of classes from the imports of one file. The file is not compiled, so the classes need
 * not exist.
 */
final class Names {
    private static final String API = "com.netflix.zuul.";

    private final Map<String, String> imported = new LinkedHashMap<>();
    private final ModuleNode module;

    Names(ModuleNode module) {
        this.module = module;
        for (ImportNode each : module.getImports()) {
            imported.put(each.getAlias(), each.getClassName());
        }
    }

    /**
     * Returns the qualified name of a class from its name in the file; the name itself if no import names the class.
     */
    String qualified(ClassNode type) {
        return qualified(type.getName());
    }

    String qualified(String name) {
        String known = imported.get(name);
        if (known != null || name.indexOf('.') >= 0) {
            return known != null ? known : name;
        }
        for (ImportNode each : module.getStarImports()) {
            if (each.getPackageName().startsWith(API) && ZuulApi.provides(each.getPackageName() + name)) {
                return each.getPackageName() + name;
            }
        }
        return name;
    }

    /** Returns the last part of a name. */
    static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    static @Nullable String packageOf(String name) {
        int dot = name.lastIndexOf('.');
        return dot < 0 ? null : name.substring(0, dot);
    }
}
