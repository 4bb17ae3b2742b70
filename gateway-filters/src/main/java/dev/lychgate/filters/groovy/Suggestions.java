package dev.lychgate.filters.groovy;

import dev.lychgate.filters.libraries.FilterClassPath;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.FieldNode;
import org.codehaus.groovy.ast.MethodNode;
import org.codehaus.groovy.ast.ModuleNode;
import org.codehaus.groovy.ast.PropertyNode;
import org.codehaus.groovy.control.CompilationUnit;
import org.jspecify.annotations.Nullable;

/**
 * Completes error messages of the compiler about names that the type checker can't resolve. Appends a known name or
 * another suggestion.
 */
final class Suggestions {
    private static final Pattern PROPERTY = Pattern.compile("No such property: (\\w+) for class: ([\\w.$]+)");
    private static final Pattern METHOD = Pattern.compile("Cannot find matching method ([\\w.$]+)#(\\w+)\\(");
    private static final Pattern VARIABLE = Pattern.compile("The variable \\[(\\w+)] is undeclared");
    private static final Pattern TYPE = Pattern.compile("unable to resolve class (\\w+)(?![\\w.])");
    private static final Pattern FOREIGN = Pattern.compile(
            "unable to resolve class (com\\.netflix\\.zuul|org\\.springframework\\.cloud\\.gateway)\\.");
    private static final Pattern HIDDEN = Pattern.compile("unable to resolve class ([\\w.$]+)");
    private static final Pattern UNTYPED = Pattern.compile(
            "No such property: \\w+ for class: java\\.lang\\.Object\\b|Cannot find matching method java\\.lang\\.Object#");
    private static final Pattern INCOMPLETE_MAP = Pattern.compile(
            "Cannot call [\\w.$]+#\\w+\\(java\\.util\\.Map<java\\.lang\\.String, .*\\) with arguments \\[java\\.util\\.");
    /** The maximum depth of a class hierarchy that is searched. No real hierarchy is deeper. */
    private static final int DEEPEST = 50;

    private final CompilationUnit unit;
    private final Set<String> alsoKnown;

    /**
     * Creates suggestions for the error messages of a compilation.
     *
     * @param alsoKnown the simple names of classes outside of {@code unit}
     */
    Suggestions(CompilationUnit unit, Set<String> alsoKnown) {
        this.unit = unit;
        this.alsoKnown = alsoKnown;
    }

    /**
     * Appends a hint to a message about an unknown name, such as the most similar known name. Returns other messages
     * unchanged.
     */
    String complete(String message) {
        Matcher hidden = HIDDEN.matcher(message);
        if (hidden.find()
                && FilterClassPath.hides(hidden.group(1))
                && !lineage(hidden.group(1)).isEmpty()) {
            return message.strip() + ": this class of the gateway is not part of the filter API";
        }
        if (FOREIGN.matcher(message).find()) {
            return message.strip()
                    + ": a filter of another gateway; docs/guides/other-gateways.md lists the counterparts";
        }
        String near = near(message);
        if (near != null) {
            return message.strip() + "; did you mean '" + near + "'?";
        }
        // The values in parsed JSON have the type Object.
        return UNTYPED.matcher(message).find()
                ? message.strip()
                        + "; the compiler does not know the type of the value (expected: a type, as in 'value as Map')"
                : withUse(message);
    }

    /**
     * Appends the correct form to a message about a known name that is used in the wrong form. Returns other messages
     * unchanged.
     */
    private String withUse(String message) {
        if (INCOMPLETE_MAP.matcher(message).find()) {
            return message.strip() + " (expected: a map with a complete type, as in 'Map<String, Object> body = [:]')";
        }
        Matcher variable = VARIABLE.matcher(message);
        if (variable.find()) {
            String name = variable.group(1);
            if (name.equals("log")) {
                return message.strip() + "; did you mean the log of the exchange, as in 'it.log'?";
            }
            return methods(FilterScript.class.getName()).contains(name)
                    ? message.strip() + "; did you mean a call, as in '" + name + "(...)'?"
                    : message;
        }
        Matcher method = METHOD.matcher(message);
        String signatures = method.find() ? signatures(method.group(1), method.group(2)) : "";
        return signatures.isEmpty() ? message : message.strip() + " (expected: " + signatures + ")";
    }

    /** Returns the signatures of the methods of the filter API with this name, separated by commas. */
    private String signatures(String className, String name) {
        return lineage(className).stream()
                .filter(type -> type.getName().startsWith("dev.lychgate."))
                .flatMap(type -> type.getMethods(name).stream())
                .filter(MethodNode::isPublic)
                .map(Suggestions::signature)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static String signature(MethodNode method) {
        return Stream.of(method.getParameters())
                .map(parameter -> parameter.getType().getNameWithoutPackage())
                .collect(Collectors.joining(", ", method.getName() + "(", ")"));
    }

    private @Nullable String near(String message) {
        Matcher property = PROPERTY.matcher(message);
        if (property.find()) {
            return near(property.group(1), properties(property.group(2)));
        }
        Matcher method = METHOD.matcher(message);
        if (method.find()) {
            return near(method.group(2), methods(method.group(1)));
        }
        Matcher variable = VARIABLE.matcher(message);
        if (variable.find()) {
            return near(variable.group(1), types());
        }
        Matcher type = TYPE.matcher(message);
        return type.find() ? near(type.group(1), types()) : null;
    }

    /**
     * Returns the known name that is most similar to {@code name}. Returns null if {@code name} itself is known: the
     * error is then in the use of the name.
     */
    private static @Nullable String near(String name, Collection<String> known) {
        return known.contains(name) ? null : NearMiss.of(name, known);
    }

    private Set<String> types() {
        Stream<String> compiled = unit.getAST().getModules().stream()
                .map(ModuleNode::getClasses)
                .flatMap(Collection::stream)
                .map(ClassNode::getNameWithoutPackage);
        return Stream.concat(compiled, alsoKnown.stream())
                .filter(name -> name.indexOf('$') < 0)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private Set<String> methods(String className) {
        Set<String> names = new LinkedHashSet<>();
        for (ClassNode type : lineage(className)) {
            type.getMethods().stream()
                    .map(MethodNode::getName)
                    .filter(name -> name.indexOf('$') < 0 && name.indexOf('<') < 0)
                    .forEach(names::add);
        }
        return names;
    }

    private Set<String> properties(String className) {
        Set<String> names = new LinkedHashSet<>();
        for (ClassNode type : lineage(className)) {
            type.getProperties().stream().map(PropertyNode::getName).forEach(names::add);
            type.getFields().stream()
                    .filter(FieldNode::isPublic)
                    .map(FieldNode::getName)
                    .forEach(names::add);
            type.getMethods().stream()
                    .filter(method -> method.isPublic() && method.getParameters().length == 0)
                    .map(MethodNode::getName)
                    .map(Suggestions::property)
                    .filter(name -> !name.isEmpty())
                    .forEach(names::add);
        }
        names.remove("class");
        return names;
    }

    /** Returns the name of the property that a getter returns; empty if the method is not a getter. */
    private static String property(String getter) {
        int prefix = getter.startsWith("get") ? 3 : getter.startsWith("is") ? 2 : 0;
        if (prefix == 0 || getter.length() == prefix || !Character.isUpperCase(getter.charAt(prefix))) {
            return "";
        }
        return java.beans.Introspector.decapitalize(getter.substring(prefix));
    }

    /** Returns the class, its superclasses and its interfaces; empty if the class can't be found. */
    private Set<ClassNode> lineage(String className) {
        Set<ClassNode> all = new LinkedHashSet<>();
        ClassNode type = unit.getClassNode(className);
        if (type == null) {
            try {
                type = ClassHelper.make(Class.forName(className, false, Suggestions.class.getClassLoader()));
            } catch (ClassNotFoundException | LinkageError e) {
                return all;
            }
        }
        add(type, all, 0);
        return all;
    }

    private static void add(@Nullable ClassNode type, Set<ClassNode> to, int depth) {
        if (type == null || depth == DEEPEST || !to.add(type)) {
            return;
        }
        add(type.getSuperClass(), to, depth + 1);
        for (ClassNode each : type.getInterfaces()) {
            add(each, to, depth + 1);
        }
    }
}
