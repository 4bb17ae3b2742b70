package dev.lychgate.server.migrate;

import dev.lychgate.filters.groovy.NestedTests;
import groovy.lang.GroovyClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.ImportNode;
import org.codehaus.groovy.ast.MethodNode;
import org.codehaus.groovy.ast.ModuleNode;
import org.codehaus.groovy.ast.Parameter;
import org.codehaus.groovy.ast.expr.ConstantExpression;
import org.codehaus.groovy.ast.stmt.BlockStatement;
import org.codehaus.groovy.ast.stmt.ExpressionStatement;
import org.codehaus.groovy.ast.stmt.ReturnStatement;
import org.codehaus.groovy.ast.stmt.Statement;
import org.codehaus.groovy.control.CompilationFailedException;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.codehaus.groovy.control.ErrorCollector;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.control.messages.SyntaxErrorMessage;
import org.codehaus.groovy.syntax.SyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A source file as a syntax tree. Its classes are not resolved, so that files can be examined without their libraries.
 * The compiler runs no code of the file. It stops before the phases in which annotations such as {@code @Grab}
 * transform code.
 */
final class ZuulSource {
    private static final List<String> TEST_ANNOTATIONS = List.of("RunWith", "Test");

    private final String path;
    private final @Nullable SourceUnit unit;
    private final @Nullable Finding fault;

    private ZuulSource(String path, @Nullable SourceUnit unit, @Nullable Finding fault) {
        this.path = path;
        this.unit = unit;
        this.fault = fault;
    }

    static ZuulSource parse(String path, String text) {
        CompilerConfiguration configuration = new CompilerConfiguration();
        ErrorCollector errors = new ErrorCollector(configuration);
        SourceUnit unit = new SourceUnit(
                path,
                text,
                configuration,
                new GroovyClassLoader(ZuulSource.class.getClassLoader(), configuration),
                errors);
        try {
            unit.parse();
            unit.completePhase();
            unit.nextPhase();
            unit.convert();
            return new ZuulSource(path, unit, null);
        } catch (CompilationFailedException e) {
            return new ZuulSource(path, null, fault(errors));
        }
    }

    private static Finding fault(ErrorCollector errors) {
        SyntaxException cause = errors.getErrorCount() > 0 && errors.getError(0) instanceof SyntaxErrorMessage message
                ? message.getCause()
                : null;
        return cause == null
                ? new Finding(1, 1, Verdict.CHANGE, "syntax", "the compiler rejects the file")
                : new Finding(
                        Math.max(1, cause.getLine()),
                        Math.max(1, cause.getStartColumn()),
                        Verdict.CHANGE,
                        "syntax",
                        String.valueOf(cause.getOriginalMessage())
                                .lines()
                                .findFirst()
                                .orElse(""));
    }

    String path() {
        return path;
    }

    /** Returns the syntax error; null if the syntax is valid. */
    @Nullable
    Finding fault() {
        return fault;
    }

    List<ClassNode> classes() {
        ModuleNode module = module();
        return module == null ? List.of() : module.getClasses();
    }

    private @Nullable ModuleNode module() {
        return unit == null ? null : unit.getAST();
    }

    /** Returns the qualified name of the superclass of a class in this file. */
    String superclass(ClassNode type) {
        ModuleNode module = module();
        ClassNode base = type.getUnresolvedSuperClass(false);
        return module == null || base == null ? "java.lang.Object" : new Names(module).qualified(base);
    }

    /**
     * Scans the file.
     *
     * @param own the qualified names of all classes of the directory
     */
    @Nullable
    FilterScan scan(Set<String> own) {
        SourceUnit source = unit;
        ModuleNode module = module();
        if (source == null || module == null) {
            return null;
        }
        FilterScan scan = new FilterScan(source, new Names(module));
        for (ImportNode each : imports(module)) {
            String name = each.getClassName();
            scan.visitAnnotations(each);
            if (!isOfATest(name) && !own.contains(name)) {
                scan.dependency(each, name);
            }
        }
        for (ImportNode each : module.getStarImports()) {
            scan.visitAnnotations(each);
            // These packages are accepted, although they also contain classes that do not belong to the API.
            if (!ZuulApi.provides(each.getPackageName() + "x")
                    && !each.getPackageName().startsWith("com.netflix.zuul.")
                    && !each.getPackageName().equals("com.netflix.config.")
                    && !each.getPackageName().startsWith("javax.")) {
                scan.dependency(each, each.getPackageName() + "*");
            }
        }
        module.getClasses().stream()
                .filter(type -> !NestedTests.isTest(type, TEST_ANNOTATIONS))
                .forEach(type -> type.visitContents(scan));
        return scan;
    }

    private static List<ImportNode> imports(ModuleNode module) {
        List<ImportNode> all = new ArrayList<>(module.getImports());
        all.addAll(module.getStaticImports().values());
        all.addAll(module.getStaticStarImports().values());
        return all;
    }

    /**
     * Returns whether a class belongs to a test library. Filter files may contain tests, which the extension leaves
     * out.
     */
    private static boolean isOfATest(String name) {
        return name.startsWith("org.junit.") || name.startsWith("org.mockito.") || name.startsWith("junit.");
    }

    /** Returns the constant that a method without parameters returns; null if it returns something else. */
    static @Nullable Object returned(ClassNode type, String method) {
        MethodNode found = type.getMethod(method, Parameter.EMPTY_ARRAY);
        if (found == null
                || !(found.getCode() instanceof BlockStatement block)
                || block.getStatements().size() != 1) {
            return null;
        }
        Statement only = block.getStatements().get(0);
        return only instanceof ReturnStatement returned
                        && returned.getExpression() instanceof ConstantExpression constant
                ? constant.getValue()
                : only instanceof ExpressionStatement expression
                                && expression.getExpression() instanceof ConstantExpression constant
                        ? constant.getValue()
                        : null;
    }
}
