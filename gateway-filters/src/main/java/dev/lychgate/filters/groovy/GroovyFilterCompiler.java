package dev.lychgate.filters.groovy;

import dev.lychgate.extension.FilterDialect;
import dev.lychgate.filters.libraries.FilterClassPath;
import dev.lychgate.filters.rx.RxSources;
import groovy.lang.GroovyClassLoader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.codehaus.groovy.GroovyBugError;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.ModuleNode;
import org.codehaus.groovy.classgen.GeneratorContext;
import org.codehaus.groovy.control.CompilationFailedException;
import org.codehaus.groovy.control.CompilationUnit;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.codehaus.groovy.control.Phases;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.runtime.GStringImpl;
import org.codehaus.groovy.tools.GroovyClass;
import org.jspecify.annotations.Nullable;

/**
 * Compiles all files of a generation together, so that they can refer to each other's classes. If any file has an
 * error, all files are refused. No code of the files runs, and nothing is downloaded.
 */
final class GroovyFilterCompiler {
    /**
     * The loader in which the compiler looks up classes on the class path of filters. It defines no classes. All
     * compilations share this loader, because the type checker has a cache of Groovy's methods for each loader. If each
     * compilation had its own loader, each would fill a cache of half a megabyte.
     */
    static final GroovyClassLoader LOADER = loader(FilterClassPath.INSTANCE);

    /** The maximum depth of nested brackets, including brackets in strings and comments. */
    static final int DEEPEST = 100;

    static final String NO_FILTER =
            "has no filter: neither a script nor a class that implements SyncFilter, AsyncFilter or"
                    + " BlockingFilter; shared code belongs in lib/";

    static final String NO_JAVA_COMPILER =
            "a Java file needs a JDK, but the gateway runs on a JRE: use a JDK, or put the compiled filter into a jar";

    private static final boolean HAS_JAVA_COMPILER =
            ModuleLayer.boot().findModule("jdk.compiler").isPresent();

    private static final String DOWNLOADS = "groovy.grape.GrabAnnotationTransformation";

    private GroovyFilterCompiler() {}

    /**
     * Compiles all files of {@code sources} together.
     *
     * @param alsoKnown the names of classes that other files declare, for suggestions in error messages
     * @throws FilterFaultsException if files have errors. The exception lists all errors of the first compiler phase
     *     that finds errors
     */
    static CompiledSources compile(
            FilterBundle sources,
            LibraryClasses libraries,
            AtomicReference<String> inWork,
            Set<String> alsoKnown,
            CompileReport report)
            throws FilterFaultsException {
        List<FilterDeclarations.Declared> compiledBefore = new ArrayList<>(libraries.filters());
        List<FilterSource> inJava =
                sources.files().stream().filter(FilterSource::isJava).toList();
        List<FilterSource> inGroovy =
                sources.files().stream().filter(file -> !file.isJava()).toList();
        if (!inJava.isEmpty() && !HAS_JAVA_COMPILER) {
            throw new FilterFaultsException(inJava.stream()
                    .map(file -> FilterFault.of(file.path(), NO_JAVA_COMPILER))
                    .toList());
        }
        FilterDialect dialect = sources.dialect();
        JavaCompilation java =
                inJava.isEmpty() ? null : new JavaCompilation(libraries.loader(), sources.libraries(), dialect);
        GroovyClassLoader loader = libraries.compiling();
        if (java != null) {
            for (FilterSource file : inJava) {
                place(file);
            }
            inWork.set(inJava.get(0).path());
            java.compile(inJava, inWork);
            compiledBefore.addAll(java.filters(inJava));
            loader = loader(java.loader());
        }
        FilterDeclarations declarations = new FilterDeclarations(dialect);
        CompilerConfiguration configuration = configuration(declarations);
        CompilationUnit unit = new FilterCompilation(configuration, loader, inWork, report);
        for (FilterSource file : inGroovy) {
            unit.addSource(new FilterSourceUnit(
                    file, place(file), dialect, inWork, report, configuration, loader, unit.getErrorCollector()));
        }
        try {
            unit.compile(Phases.CLASS_GENERATION);
        } catch (CompilationFailedException e) {
            List<FilterFault> syntax = new SyntaxFaults(configuration, loader).of(inGroovy);
            throw new FilterFaultsException(
                    syntax.isEmpty()
                            ? completed(
                                    CompilerFaults.of(e, unit.getErrorCollector(), String.valueOf(inWork.get())),
                                    unit,
                                    alsoKnown,
                                    dialect)
                            : syntax);
        } catch (StackOverflowError e) {
            throw new FilterFaultsException(FilterFault.of(String.valueOf(inWork.get()), CompilerFaults.TOO_DEEP));
        } catch (GroovyBugError e) {
            throw new FilterFaultsException(
                    FilterFault.of(String.valueOf(inWork.get()), "the compiler failed: " + e.getMessage()));
        }
        CompiledSources compiled = compiled(unit, inGroovy, declarations.found(), compiledBefore, java);
        refuseHidden(compiled, libraries);
        return compiled;
    }

    private static List<FilterFault> completed(
            List<FilterFault> faults, CompilationUnit unit, Set<String> alsoKnown, @Nullable FilterDialect dialect) {
        Suggestions suggestions = new Suggestions(unit, alsoKnown);
        return faults.stream()
                .map(fault -> new FilterFault(
                        fault.file(),
                        fault.line(),
                        fault.column(),
                        Objects.requireNonNullElseGet(
                                MissingClass.advised(fault.message(), dialect),
                                () -> MissingClass.completed(suggestions.complete(fault.message()), dialect))))
                .toList();
    }

    /** Refuses classes that would never be used, because jars or the gateway contain classes with the same names. */
    private static void refuseHidden(CompiledSources compiled, LibraryClasses libraries) throws FilterFaultsException {
        Map<String, FilterFault> faults = new TreeMap<>();
        for (String name : new TreeSet<>(compiled.byteCode().keySet())) {
            if (libraries.isEmpty() && isNestedIn(compiled, name)) {
                // No search is needed, because the gateway contains no nested class without its enclosing class. A
                // search takes a quarter of a millisecond.
                continue;
            }
            String place = libraries.placeOf(name);
            String file = String.valueOf(compiled.fileOf(name));
            String taken = RefusedDeclarations.taken(name);
            if (taken != null) {
                faults.putIfAbsent(file, FilterFault.of(file, taken));
            } else if (place != null) {
                faults.putIfAbsent(
                        file,
                        FilterFault.of(
                                file,
                                "class " + name + " is also in " + place
                                        + ", and the class there would be used: keep one of the two, or rename"
                                        + " this one"));
            }
        }
        if (!faults.isEmpty()) {
            throw new FilterFaultsException(List.copyOf(faults.values()));
        }
    }

    private static boolean isNestedIn(CompiledSources compiled, String name) {
        int nested = name.indexOf('$');
        return nested > 0 && compiled.byteCode().containsKey(name.substring(0, nested));
    }

    /**
     * Loads in advance the classes that filters would otherwise load on an event loop. These are the classes that
     * examine the results of closures, and the classes that the first interpolated string would load under a lock.
     */
    static void loadForFilters() {
        RxSources.isSource("");
        new GStringImpl(new Object[] {1}, new String[] {"", ""});
    }

    /**
     * Returns a loader in which the compiler looks up classes.
     *
     * @param classes the loader of the classes to which files refer
     */
    static GroovyClassLoader loader(ClassLoader classes) {
        GroovyClassLoader loader = new GroovyClassLoader(classes);
        // Source files on the class path are not filters.
        loader.setResourceLoader(name -> null);
        return loader;
    }

    private static PlaceInTree place(FilterSource file) throws FilterFaultsException {
        PlaceInTree place = PlaceInTree.of(file.path());
        if (place == null) {
            throw new FilterFaultsException(
                    FilterFault.of(file.path(), "is in none of the directories " + PlaceInTree.names()));
        }
        refuseNesting(file);
        return place;
    }

    /** Refuses deeply nested brackets, because the parser would need hours for them, and can't be interrupted. */
    private static void refuseNesting(FilterSource file) throws FilterFaultsException {
        int depth = 0;
        int line = 1;
        for (int i = 0; i < file.text().length(); i++) {
            switch (file.text().charAt(i)) {
                case '\n' -> line++;
                case '(', '[', '{' -> depth++;
                case ')', ']', '}' -> depth = Math.max(0, depth - 1);
                default -> {}
            }
            if (depth > DEEPEST) {
                throw new FilterFaultsException(
                        new FilterFault(file.path(), line, 0, "more than " + DEEPEST + " nested brackets"));
            }
        }
    }

    private static CompilerConfiguration configuration(FilterDeclarations declarations) {
        CompilerConfiguration configuration = new CompilerConfiguration();
        configuration.setScriptBaseClass(FilterScript.class.getName());
        configuration.setTargetBytecode(CompilerConfiguration.JDK17);
        configuration.setTolerance(100);
        // Parses the files sequentially on the thread of the build, for three reasons. The stack of this thread is
        // large. If the parser overflows the stack, the current file is known. The processors that do not parse remain
        // available for traffic.
        configuration.getOptimizationOptions().put(CompilerConfiguration.PARALLEL_PARSE, false);
        configuration.setDisabledGlobalASTTransformations(Set.of(DOWNLOADS));
        configuration.addCompilationCustomizers(
                declarations,
                new DroppedOutcomes(),
                new EarlyResponses(),
                new RepeatedCreations(),
                new CalledUpstreams(),
                new ExitCalls());
        return configuration;
    }

    private static CompiledSources compiled(
            CompilationUnit unit,
            List<FilterSource> files,
            List<FilterDeclarations.Declared> filters,
            List<FilterDeclarations.Declared> compiledBefore,
            @Nullable JavaCompilation java)
            throws FilterFaultsException {
        Map<String, String> fileOf = new HashMap<>();
        for (ModuleNode module : unit.getAST().getModules()) {
            for (ClassNode type : module.getClasses()) {
                fileOf.put(type.getName(), module.getDescription());
            }
        }
        List<FilterFault> faults = new ArrayList<>();
        for (FilterSource file : files) {
            List<FilterDeclarations.Declared> here =
                    filters.stream().filter(f -> f.file().equals(file.path())).toList();
            PlaceInTree place = PlaceInTree.of(file.path());
            if (place != PlaceInTree.SHARED && here.isEmpty()) {
                faults.add(FilterFault.of(file.path(), NO_FILTER));
            }
            if (here.size() > 1 && here.stream().anyMatch(f -> f.line() == 0)) {
                faults.add(FilterFault.of(
                        file.path(), "is a script and also declares a filter class: keep one of the two"));
            }
        }
        if (!faults.isEmpty()) {
            throw new FilterFaultsException(faults);
        }
        Map<String, byte[]> byteCode = new HashMap<>();
        for (GroovyClass type : unit.getClasses()) {
            byteCode.put(type.getName(), type.getBytes());
        }
        List<FilterDeclarations.Declared> all = new ArrayList<>(filters);
        all.addAll(compiledBefore);
        if (java != null) {
            java.addTo(byteCode, fileOf);
        }
        return new CompiledSources(byteCode, fileOf, all);
    }

    /**
     * Groovy's compiler, extended to record the file in progress. Groovy's compiler does not report this file if the
     * JVM throws an error or the build times out.
     */
    private static final class FilterCompilation extends CompilationUnit {
        private final AtomicReference<String> file;
        private final CompileReport report;

        FilterCompilation(
                CompilerConfiguration configuration,
                GroovyClassLoader loader,
                AtomicReference<String> file,
                CompileReport report) {
            super(configuration, null, loader, LOADER);
            this.file = file;
            this.report = report;
        }

        @Override
        public void addPhaseOperation(ISourceUnitOperation step, int phase) {
            super.addPhaseOperation(
                    (ISourceUnitOperation) source -> {
                        file.set(source.getName());
                        long begin = System.nanoTime();
                        step.call(source);
                        report.add(source.getName(), System.nanoTime() - begin);
                    },
                    phase);
        }

        @Override
        public void addPhaseOperation(IPrimaryClassNodeOperation step, int phase) {
            super.addPhaseOperation(new Told(step), phase);
        }

        /**
         * A step of the compiler that records the file in progress. The class is not static, because the superclass
         * constructor adds steps before the field {@code file} is set.
         */
        private final class Told implements IPrimaryClassNodeOperation {
            private final IPrimaryClassNodeOperation step;

            Told(IPrimaryClassNodeOperation step) {
                this.step = step;
            }

            @Override
            public void call(SourceUnit source, GeneratorContext context, ClassNode type) {
                if (source == null) {
                    step.call(source, context, type);
                    return;
                }
                file.set(source.getName());
                long begin = System.nanoTime();
                step.call(source, context, type);
                report.add(source.getName(), System.nanoTime() - begin);
            }

            @Override
            public boolean needSortedInput() {
                return step.needSortedInput();
            }
        }
    }
}
