package dev.lychgate.filters.groovy;

import dev.lychgate.extension.FilterDialect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.codehaus.groovy.ast.ASTNode;
import org.codehaus.groovy.ast.AnnotationNode;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.ImportNode;
import org.codehaus.groovy.ast.InnerClassNode;
import org.codehaus.groovy.ast.ModuleNode;
import org.codehaus.groovy.control.CompilationFailedException;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.codehaus.groovy.control.ErrorCollector;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.syntax.SyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * One file in the compiler. Three steps run after the file is parsed, and before any transformation. The script of the
 * file gets a unique class name. Static compilation becomes the default of the classes. {@link RefusedDeclarations}
 * checks the file.
 */
final class FilterSourceUnit extends SourceUnit {
    private final FilterSource file;
    private final PlaceInTree place;
    /** The dialect in which the file is written; null if it is not written in a dialect. */
    private final @Nullable FilterDialect dialect;

    private final AtomicReference<String> inWork;
    private final CompileReport report;
    private Map<String, Integer> settings = Map.of();
    private boolean adapted;

    FilterSourceUnit(
            FilterSource file,
            PlaceInTree place,
            @Nullable FilterDialect dialect,
            AtomicReference<String> inWork,
            CompileReport report,
            CompilerConfiguration configuration,
            groovy.lang.GroovyClassLoader loader,
            ErrorCollector faults) {
        super(file.path(), text(dialect, file), configuration, loader, faults);
        this.file = file;
        this.place = place;
        this.dialect = of(dialect, file);
        this.inWork = inWork;
        this.report = report;
    }

    private static @Nullable FilterDialect of(@Nullable FilterDialect dialect, FilterSource file) {
        return dialect != null && dialect.isIn(file.text()) ? dialect : null;
    }

    private static String text(@Nullable FilterDialect dialect, FilterSource file) {
        FilterDialect of = of(dialect, file);
        return of == null ? file.text() : of.prepared(file.text());
    }

    FilterSource file() {
        return file;
    }

    PlaceInTree place() {
        return place;
    }

    /** Returns the line of each setting that the script declares, by the name of the field of the setting. */
    Map<String, Integer> settings() {
        return settings;
    }

    /** Adds an error. The checks of the file continue. */
    void fault(String message, ASTNode at) {
        addErrorAndContinue(new SyntaxException(message, at));
    }

    /** Adds a warning. It is reported if the file is accepted. */
    void warn(String message, ASTNode at) {
        report.warn(new FilterFault(file.path(), at.getLineNumber(), at.getColumnNumber(), message));
    }

    /** Records a call-out to an upstream. */
    void calls(String upstream, ASTNode at) {
        report.calls(upstream, new FilterFault(file.path(), at.getLineNumber(), at.getColumnNumber(), ""));
    }

    /**
     * Builds the syntax tree, and records the current file and the duration. Both are recorded here, because the
     * compiler does not report this work as a step per file.
     */
    @Override
    public ModuleNode buildAST() {
        inWork.set(file.path());
        long begin = System.nanoTime();
        ModuleNode module = super.buildAST();
        report.add(file.path(), System.nanoTime() - begin);
        return module;
    }

    @Override
    public void convert() throws CompilationFailedException {
        super.convert();
        ModuleNode module = getAST();
        if (module == null || adapted) {
            return;
        }
        adapted = true;
        if (dialect != null) {
            NestedTests.drop(module, dialect.testAnnotations());
            HidingClasses.qualify(module, packageOfPath() + "_" + identifier(file.baseName()) + ".");
        }
        boolean dynamicScript = takeDynamicMark(module);
        module.getClasses().stream().filter(ClassNode::isScript).findFirst().ifPresent(script -> {
            rename(module, script);
            if (place.phase() != null) {
                settings = SettingsBlock.take(this, module, script);
            }
        });
        for (ClassNode type : List.copyOf(module.getClasses())) {
            boolean saysOtherwise = type.isScript() ? dynamicScript : saysHowItIsCompiled(type);
            if (!saysOtherwise && dialect == null && !(type instanceof InnerClassNode)) {
                type.addAnnotation(new AnnotationNode(ClassHelper.make(groovy.transform.CompileStatic.class)));
            }
        }
        new RefusedDeclarations(this).look(module);
    }

    /**
     * Renames the class of the script and its anonymous classes. The parser has derived the names of anonymous classes
     * from the name of the script, and nested classes must be in the package of their outer class.
     */
    private void rename(ModuleNode module, ClassNode script) {
        String before = script.getName();
        script.setName(scriptName(module));
        for (ClassNode type : module.getClasses()) {
            if (type instanceof InnerClassNode && outermost(type).isScript()) {
                type.setName(script.getName() + type.getName().substring(before.length()));
            }
        }
    }

    private static ClassNode outermost(ClassNode type) {
        ClassNode outermost = type;
        for (ClassNode around = type; around != null; around = around.getOuterClass()) {
            outermost = around;
        }
        return outermost;
    }

    /**
     * Returns a class name that is derived from the path, so that two scripts with the same file name in different
     * directories have different classes. Stack traces still contain the name of the file.
     */
    private String scriptName(ModuleNode module) {
        String prefix = module.hasPackageName() ? module.getPackageName() : packageOfPath();
        return prefix + identifier(file.baseName());
    }

    /** Returns a package name that is derived from the directory of the file, with a dot at its end. */
    private String packageOfPath() {
        List<String> parts = new ArrayList<>();
        for (String part :
                file.path().substring(0, file.path().lastIndexOf('/')).split("/", -1)) {
            parts.add(identifier(part));
        }
        return String.join(".", parts) + ".";
    }

    private static String identifier(String text) {
        StringBuilder name = new StringBuilder(text);
        for (int i = 0; i < name.length(); i++) {
            if (!Character.isJavaIdentifierPart(name.charAt(i)) || name.charAt(i) == '$') {
                name.setCharAt(i, '_');
            }
        }
        return name.isEmpty() || !Character.isJavaIdentifierStart(name.charAt(0)) ? "_" + name : name.toString();
    }

    private static boolean saysHowItIsCompiled(ClassNode type) {
        return type.getAnnotations().stream().anyMatch(annotation -> switch (simpleName(annotation)) {
            case "CompileDynamic", "CompileStatic" -> true;
            default -> false;
        });
    }

    /** Returns whether a script is dynamic: whether it has {@code @CompileDynamic} on its package or on an import. */
    private static boolean takeDynamicMark(ModuleNode module) {
        boolean dynamic =
                module.getPackage() != null && takeFrom(module.getPackage().getAnnotations());
        for (ImportNode node : module.getImports()) {
            dynamic |= takeFrom(node.getAnnotations());
        }
        for (ImportNode node : module.getStarImports()) {
            dynamic |= takeFrom(node.getAnnotations());
        }
        return dynamic;
    }

    private static boolean takeFrom(List<AnnotationNode> annotations) {
        return !annotations.isEmpty() && annotations.removeIf(a -> simpleName(a).equals("CompileDynamic"));
    }

    private static String simpleName(AnnotationNode annotation) {
        return annotation.getClassNode().getNameWithoutPackage();
    }
}
