package dev.lychgate.filters.groovy;

import dev.lychgate.extension.FilterDialect;
import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.EndpointFilter;
import dev.lychgate.filter.ErrorFilter;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.filters.settings.DeclaredSettings;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.ConstructorNode;
import org.codehaus.groovy.ast.InnerClassNode;
import org.codehaus.groovy.ast.MethodNode;
import org.codehaus.groovy.ast.Parameter;
import org.codehaus.groovy.ast.tools.GeneralUtils;
import org.codehaus.groovy.classgen.GeneratorContext;
import org.codehaus.groovy.control.CompilePhase;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.control.customizers.CompilationCustomizer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the filters among the compiled classes. If a class implements a form of filters, such as {@code SyncFilter},
 * but no phase, adds the method {@code phase()}. This method returns the phase of the directory. A class that
 * implements another phase is refused.
 */
final class FilterDeclarations extends CompilationCustomizer {
    private static final ClassNode FILTER = ClassHelper.make(Filter.class);
    private static final ClassNode SCRIPT = ClassHelper.make(FilterScript.class);
    private static final ClassNode PHASE = ClassHelper.make(FilterPhase.class);
    private static final List<ClassNode> FORMS = List.of(
            ClassHelper.make(SyncFilter.class),
            ClassHelper.make(AsyncFilter.class),
            ClassHelper.make(BlockingFilter.class));
    private static final Map<FilterPhase, ClassNode> PHASES = new EnumMap<>(Map.of(
            FilterPhase.INBOUND, ClassHelper.make(InboundFilter.class),
            FilterPhase.ENDPOINT, ClassHelper.make(EndpointFilter.class),
            FilterPhase.OUTBOUND, ClassHelper.make(OutboundFilter.class),
            FilterPhase.ERROR, ClassHelper.make(ErrorFilter.class)));

    private final @Nullable FilterDialect dialect;
    private final List<Declared> found = new ArrayList<>();

    /**
     * The declaration of a filter in a file.
     *
     * @param className the class of the filter, or of its script
     * @param baseName the name of the file without {@code .groovy}
     * @param line the number of the first line of the class, from 1; 0 for a script
     * @param settings the line of each setting, by the name of its field; empty if the filter has no settings or the
     *     lines are unknown
     */
    record Declared(
            String className,
            String file,
            String baseName,
            FilterPhase phase,
            int line,
            Map<String, Integer> settings) {
        Declared with(Map<String, Integer> lines) {
            return new Declared(className, file, baseName, phase, line, lines);
        }

        FilterFault fault(String message) {
            return fault("", message);
        }

        /**
         * Returns an error at the line that declares a setting.
         *
         * @param setting the name of the setting in the configuration. If no setting has this name, the error is at the
         *     line of the class
         */
        FilterFault fault(String setting, String message) {
            int at = settings.entrySet().stream()
                    .filter(one -> DeclaredSettings.name(one.getKey()).equals(setting))
                    .findFirst()
                    .map(Map.Entry::getValue)
                    .orElse(line);
            String where = file.endsWith(".jar") ? "class " + className + ": " : "";
            return new FilterFault(file, at, 0, where + message);
        }
    }

    /**
     * Creates a step of the compiler that finds filters.
     *
     * @param dialect the dialect in which files may be written; null without a dialect
     */
    FilterDeclarations(@Nullable FilterDialect dialect) {
        super(CompilePhase.CANONICALIZATION);
        this.dialect = dialect;
    }

    List<Declared> found() {
        return List.copyOf(found);
    }

    @Override
    public void call(SourceUnit source, GeneratorContext context, ClassNode type) {
        FilterSourceUnit unit = (FilterSourceUnit) source;
        FilterPhase phase = unit.place().phase();
        if (phase == null || type instanceof InnerClassNode || type.isAbstract() || type.isInterface()) {
            return;
        }
        if (type.isScript()) {
            if (type.isDerivedFrom(SCRIPT)) {
                add(unit, type, phase, 0);
            }
        } else if (type.isDerivedFrom(FILTER) || type.implementsInterface(FILTER)) {
            givePhase(unit, type, phase);
            add(unit, type, phase, type.getLineNumber());
        } else if (isInDialect(type)) {
            FilterSource file = unit.file();
            found.add(
                    new Declared(type.getName(), file.path(), file.baseName(), phase, type.getLineNumber(), Map.of()));
        }
    }

    private boolean isInDialect(ClassNode type) {
        FilterDialect of = dialect;
        if (of == null) {
            return false;
        }
        for (ClassNode base = type.getSuperClass(); base != null; base = base.getSuperClass()) {
            if (of.isBase(base.getName())) {
                return true;
            }
        }
        return false;
    }

    private void add(FilterSourceUnit unit, ClassNode type, FilterPhase phase, int line) {
        long forms = FORMS.stream().filter(type::implementsInterface).count();
        if (forms != 1 && !type.isScript()) {
            unit.fault(
                    "class " + type.getName() + " must implement exactly one of SyncFilter, AsyncFilter and"
                            + " BlockingFilter" + (forms == 0 ? "" : ", but implements " + forms),
                    type);
        }
        FilterSource file = unit.file();
        Map<String, Integer> settings = type.isScript() ? unit.settings() : settings(type);
        found.add(new Declared(type.getName(), file.path(), file.baseName(), phase, line, settings));
    }

    /**
     * If the constructor of a class accepts a record, returns the line of each component of the record, by the
     * component's name. Empty if the record is in another file.
     */
    private static Map<String, Integer> settings(ClassNode type) {
        Map<String, Integer> lines = new LinkedHashMap<>();
        for (ConstructorNode constructor : type.getDeclaredConstructors()) {
            if (constructor.getParameters().length == 1) {
                ClassNode record = constructor.getParameters()[0].getType();
                record.getFields().stream()
                        .filter(field -> type.getModule().equals(record.getModule()))
                        .filter(field -> !field.isStatic() && field.getLineNumber() > 0)
                        .forEach(field -> lines.put(field.getName(), field.getLineNumber()));
            }
        }
        return lines;
    }

    private static void givePhase(FilterSourceUnit unit, ClassNode type, FilterPhase phase) {
        List<FilterPhase> said = PHASES.entrySet().stream()
                .filter(e -> type.implementsInterface(e.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        if (said.stream().anyMatch(other -> other != phase)) {
            unit.fault(
                    "class " + type.getName() + " is a filter of the phase "
                            + said.stream().map(PlaceInTree::name).collect(Collectors.joining(" and "))
                            + ", but is in a directory of the phase " + PlaceInTree.name(phase),
                    type);
            return;
        }
        MethodNode own = type.getMethod("phase", Parameter.EMPTY_ARRAY);
        if (said.isEmpty() && (own == null || own.isAbstract())) {
            type.addMethod(
                    "phase",
                    Modifier.PUBLIC,
                    PHASE,
                    Parameter.EMPTY_ARRAY,
                    ClassNode.EMPTY_ARRAY,
                    GeneralUtils.returnS(GeneralUtils.propX(GeneralUtils.classX(PHASE), phase.name())));
        }
    }
}
