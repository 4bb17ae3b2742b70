package dev.lychgate.filters.groovy;

import java.util.Set;
import org.codehaus.groovy.ast.AnnotatedNode;
import org.codehaus.groovy.ast.AnnotationNode;
import org.codehaus.groovy.ast.ClassCodeVisitorSupport;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.ImportNode;
import org.codehaus.groovy.ast.ModuleNode;
import org.codehaus.groovy.control.SourceUnit;

/**
 * Refuses what would act while the file is compiled: downloads ({@code @Grab} and its kin), and code run by the compiler
 * ({@code @ASTTest}, and extensions of the type checker). Other transformations come from the gateway's own class path, as
 * Groovy's {@code @Immutable}, and write code without running the file's.
 */
final class RefusedAnnotations extends ClassCodeVisitorSupport {
    private static final Set<String> DOWNLOADS =
            Set.of("Grab", "Grapes", "GrabConfig", "GrabExclude", "GrabResolver", "Grape");
    private static final Set<String> COMPILER =
            Set.of("ASTTest", "GroovyASTTransformation", "GroovyASTTransformationClass");

    private final FilterSourceUnit unit;

    private RefusedAnnotations(FilterSourceUnit unit) {
        this.unit = unit;
    }

    static void look(FilterSourceUnit unit, ModuleNode module) {
        RefusedAnnotations eye = new RefusedAnnotations(unit);
        if (module.getPackage() != null) {
            eye.visitAnnotations(module.getPackage());
        }
        module.getImports().forEach(eye::look);
        module.getStarImports().forEach(eye::look);
        module.getStaticImports().values().forEach(eye::look);
        module.getStaticStarImports().values().forEach(eye::look);
        for (ClassNode type : module.getClasses()) {
            eye.visitClass(type);
        }
    }

    @Override
    protected SourceUnit getSourceUnit() {
        return unit;
    }

    private void look(ImportNode node) {
        visitAnnotations(node);
        String name = node.getClassName();
        // Under another name, the annotation would not be known again.
        if (name != null) {
            refuse(name.substring(name.lastIndexOf('.') + 1), name.startsWith("groovy."), node);
        }
    }

    @Override
    public void visitAnnotations(AnnotatedNode node) {
        for (AnnotationNode annotation : node.getAnnotations()) {
            refuse(annotation.getClassNode().getNameWithoutPackage(), true, annotation);
            if (annotation.getMember("extensions") != null) {
                unit.fault(
                        "extensions of the type checker are not for filters: the compiler would run them", annotation);
            }
        }
    }

    private void refuse(String name, boolean groovys, org.codehaus.groovy.ast.ASTNode at) {
        if (groovys && DOWNLOADS.contains(name)) {
            unit.fault(name + " is not for filters: nothing is downloaded when they are built", at);
        } else if (groovys && COMPILER.contains(name)) {
            unit.fault(name + " is not for filters: the compiler would run code of the file", at);
        }
    }
}
