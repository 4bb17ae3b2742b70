package dev.lychgate.filters.groovy;

import java.util.List;
import java.util.Set;
import org.codehaus.groovy.ast.ASTNode;
import org.codehaus.groovy.ast.AnnotatedNode;
import org.codehaus.groovy.ast.AnnotationNode;
import org.codehaus.groovy.ast.ClassCodeVisitorSupport;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.ImportNode;
import org.codehaus.groovy.ast.ModuleNode;
import org.codehaus.groovy.control.SourceUnit;
import org.jspecify.annotations.Nullable;

/**
 * Rejects class names that hide classes of the gateway, and the following annotations:
 *
 * <ul>
 *   <li>annotations that download libraries at compile time, such as {@code @Grab}
 *   <li>annotations that make the compiler run code of the file: {@code @ASTTest}, and extensions of the type checker
 * </ul>
 *
 * <p>Other annotations that transform code, such as {@code @Immutable}, are permitted, because their transformations
 * are on the gateway's class path and do not run code of the file.
 */
final class RefusedDeclarations extends ClassCodeVisitorSupport {
    private static final Set<String> DOWNLOADS =
            Set.of("Grab", "Grapes", "GrabConfig", "GrabExclude", "GrabResolver", "Grape");
    private static final Set<String> COMPILER =
            Set.of("ASTTest", "GroovyASTTransformation", "GroovyASTTransformationClass");
    private static final List<String> PACKAGES = List.of(
            "dev.lychgate.",
            "java.",
            "javax.",
            "jdk.",
            "sun.",
            "groovy.",
            "org.codehaus.groovy.",
            "org.apache.groovy.");

    /** The packages and classes that every file imports by default. */
    private static final List<String> DEFAULT_IMPORTS = List.of(
            "java.lang.",
            "java.util.",
            "java.io.",
            "java.net.",
            "java.math.BigDecimal",
            "java.math.BigInteger",
            "groovy.lang.",
            "groovy.util.");

    private final FilterSourceUnit unit;

    RefusedDeclarations(FilterSourceUnit unit) {
        this.unit = unit;
    }

    void look(ModuleNode module) {
        if (module.getPackage() != null) {
            visitAnnotations(module.getPackage());
        }
        module.getImports().forEach(this::look);
        module.getStarImports().forEach(this::look);
        module.getStaticImports().values().forEach(this::look);
        module.getStaticStarImports().values().forEach(this::look);
        module.getClasses().forEach(this::visitClass);
    }

    @Override
    protected SourceUnit getSourceUnit() {
        return unit;
    }

    @Override
    public void visitClass(ClassNode type) {
        String name = type.getName();
        String taken = taken(name);
        if (taken != null) {
            unit.fault(taken, type);
        } else if (getClass().getClassLoader().getResource(name.replace('.', '/') + ".class") != null) {
            // Without this check, the gateway's class would be used in place of the filter's class, without any
            // message.
            unit.fault("the gateway has a class with the same name: " + name + " (expected: another name)", type);
        } else {
            String hidden = importedByDefault(name);
            if (hidden != null) {
                unit.fault(hides(name, hidden), type);
            }
        }
        super.visitClass(type);
    }

    /** Returns the reason why filters may not declare a class in its package; null if the package is permitted. */
    static @Nullable String taken(String className) {
        return PACKAGES.stream()
                .filter(className::startsWith)
                .findFirst()
                .map(taken -> "class " + className + " is in a package that filters cannot use: " + taken + "*")
                .orElse(null);
    }

    /**
     * Returns the class that all files import by default under this name; null if there is no such class, or if the
     * name contains a package.
     */
    static @Nullable String importedByDefault(String name) {
        if (name.indexOf('.') >= 0) {
            return null;
        }
        ClassLoader gateway = RefusedDeclarations.class.getClassLoader();
        return DEFAULT_IMPORTS.stream()
                .map(of -> of.endsWith(".") ? of + name : of)
                .filter(each ->
                        each.endsWith("." + name) && gateway.getResource(each.replace('.', '/') + ".class") != null)
                .findFirst()
                .orElse(null);
    }

    static String hides(String name, String hidden) {
        return "class " + name + " would be used in place of " + hidden
                + " in every filter (expected: another name, or a package)";
    }

    private void look(ImportNode node) {
        visitAnnotations(node);
        String name = node.getClassName();
        // Refuses the import, because an annotation that is imported under another name would not be recognized.
        if (name != null && name.startsWith("groovy.")) {
            refuse(name.substring(name.lastIndexOf('.') + 1), node);
        }
    }

    @Override
    public void visitAnnotations(AnnotatedNode node) {
        for (AnnotationNode annotation : node.getAnnotations()) {
            refuse(annotation.getClassNode().getNameWithoutPackage(), annotation);
            if (annotation.getMember("extensions") != null) {
                unit.fault(
                        "extensions of the type checker are not permitted in filters: the compiler would run" + " them",
                        annotation);
            }
        }
    }

    private void refuse(String name, ASTNode at) {
        if (DOWNLOADS.contains(name)) {
            unit.fault(name + " is not permitted in filters: a build downloads nothing", at);
        } else if (COMPILER.contains(name)) {
            unit.fault(name + " is not permitted in filters: the compiler would run code of the file", at);
        }
    }
}
