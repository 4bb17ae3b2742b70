package dev.lychgate.filters.groovy;

import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import dev.lychgate.extension.FilterDialect;
import dev.lychgate.filters.groovy.CompilerFile.Input;
import dev.lychgate.filters.groovy.CompilerFile.Output;
import dev.lychgate.filters.groovy.CompilerFile.Source;
import dev.lychgate.filters.libraries.FilterClassPath;
import dev.lychgate.filters.libraries.JarClassLoader;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the Java files of a bundle in memory, before the Groovy files of the bundle. Groovy files may refer to Java
 * files, but Java files may not refer to Groovy files. Java files may refer to the filter API, to the classes of a
 * dialect, to the libraries of the bundle and to each other. This class can be loaded only by a JVM with a Java
 * compiler.
 */
final class JavaCompilation {
    private static final String PROCESSOR = "javax.annotation.processing.Processor";

    private final ClassLoader libraries;
    private final @Nullable FilterDialect dialect;
    private final Map<String, Output> classes = new LinkedHashMap<>();
    /** The lines of the components of records, by record and then by component. */
    private Map<String, Map<String, Integer>> lines = Map.of();

    private final List<String> options;

    /**
     * Prepares the compilation of Java files.
     *
     * @param libraries the parent loader of the compiled classes
     * @param jars the jars of the bundle; annotation processors in these jars take part in the compilation
     * @param dialect the dialect in which files may be written; null without a dialect
     */
    JavaCompilation(ClassLoader libraries, List<FilterLibrary> jars, @Nullable FilterDialect dialect) {
        this.libraries = libraries;
        this.dialect = dialect;
        this.options = options(jars);
    }

    private static List<String> options(List<FilterLibrary> jars) {
        String processors = jars.stream()
                .filter(each -> !each.jar().providers(PROCESSOR).isEmpty())
                .map(each -> each.jar().file().toString())
                .collect(Collectors.joining(File.pathSeparator));
        List<String> all = new ArrayList<>(List.of("-nowarn", "-g", "-parameters", "-implicit:none"));
        all.addAll(processors.isEmpty() ? List.of("-proc:none") : List.of("-processorpath", processors));
        return all;
    }

    /**
     * Compiles Java files.
     *
     * @param inWork receives the path of the file in progress
     * @throws FilterFaultsException if files have errors; the exception lists all errors
     */
    void compile(List<FilterSource> files, AtomicReference<String> inWork) throws FilterFaultsException {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        DiagnosticCollector<JavaFileObject> errors = new DiagnosticCollector<>();
        try (JavaFileManager standard = compiler.getStandardFileManager(errors, Locale.ROOT, null);
                JavaFileManager all = new CompilerFiles(standard)) {
            List<Source> sources = files.stream().map(Source::new).toList();
            StringWriter output = new StringWriter();
            JavaCompiler.CompilationTask task = compiler.getTask(output, all, errors, options, null, sources);
            Progress.follow(task, inWork);
            lines = RecordLines.of(task);
            List<FilterFault> faults = new ArrayList<>();
            if (task.call()) {
                findExitCalls(faults);
            } else {
                errors.getDiagnostics().stream()
                        .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                        .forEach(one -> faults.add(fault(one)));
                if (faults.isEmpty()) {
                    faults.add(FilterFault.of(String.valueOf(inWork.get()), failure(output.toString())));
                }
            }
            if (!faults.isEmpty()) {
                throw new FilterFaultsException(faults);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the reason why the compiler failed.
     *
     * @param output the output of the compiler, with the stack trace of its exception
     */
    private static String failure(String output) {
        if (output.contains(StackOverflowError.class.getName())) {
            return CompilerFaults.TOO_DEEP;
        }
        return "the compiler failed: "
                + output.lines()
                        .filter(line -> line.contains("Exception: ") || line.contains("Error: "))
                        .findFirst()
                        .orElse("it reported no error");
    }

    private void findExitCalls(List<FilterFault> faults) {
        classes.values()
                .forEach(output -> CompiledExitCalls.in(output.code())
                        .forEach(call -> faults.add(new FilterFault(output.file(), call.line(), 0, call.message()))));
    }

    private FilterFault fault(Diagnostic<? extends JavaFileObject> error) {
        String message = error.getMessage(Locale.ROOT);
        String advised = MissingClass.advised(message, dialect);
        return error.getSource() instanceof Source source
                ? new FilterFault(
                        source.file().path(),
                        (int) error.getLineNumber(),
                        (int) error.getColumnNumber(),
                        advised == null ? MissingClass.completed(message, dialect) : advised)
                : FilterFault.of(CompilerFaults.SOMEWHERE, message);
    }

    /** Adds the compiled classes to the classes of the bundle. */
    void addTo(Map<String, byte[]> byteCode, Map<String, String> fileOf) throws FilterFaultsException {
        List<FilterFault> faults = new ArrayList<>();
        classes.forEach((name, output) -> {
            if (byteCode.putIfAbsent(name, output.code()) != null) {
                faults.add(FilterFault.of(output.file(), "class " + name + " is also in a Groovy file"));
            }
            String hidden = RefusedDeclarations.importedByDefault(name);
            if (hidden != null) {
                faults.add(FilterFault.of(output.file(), RefusedDeclarations.hides(name, hidden)));
            }
            fileOf.put(name, output.file());
        });
        if (!faults.isEmpty()) {
            throw new FilterFaultsException(faults);
        }
    }

    /**
     * Returns a loader in which the compiler can look up the classes. Other loaders define the classes that run later.
     */
    ClassLoader loader() {
        return new ClassLoader("java-filters", libraries) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                Output output = classes.get(name);
                if (output == null) {
                    throw FilterClassPath.notFound(name);
                }
                byte[] code = output.code();
                return defineClass(name, code, 0, code.length);
            }

            @Override
            public @Nullable InputStream getResourceAsStream(String name) {
                Output output = name.endsWith(".class")
                        ? classes.get(name.substring(0, name.length() - ".class".length())
                                .replace('/', '.'))
                        : null;
                return output == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(output.code());
            }
        };
    }

    /**
     * Returns the filters among the top-level classes of files in directories of phases.
     *
     * @throws FilterFaultsException if classes have errors; the exception lists all errors
     */
    List<FilterDeclarations.Declared> filters(List<FilterSource> files) throws FilterFaultsException {
        List<FilterDeclarations.Declared> all = new ArrayList<>();
        List<FilterFault> faults = new ArrayList<>();
        ClassLoader loader = loader();
        for (FilterSource file : files) {
            PlaceInTree place = PlaceInTree.of(file.path());
            if (place == null || place.phase() == null) {
                continue;
            }
            int before = all.size();
            try {
                for (Map.Entry<String, Output> one : classes.entrySet()) {
                    if (one.getValue().file().equals(file.path())
                            && one.getKey().indexOf('$') < 0) {
                        Class<?> type = Class.forName(one.getKey(), false, loader);
                        for (FilterDeclarations.Declared found :
                                LibraryClasses.declared(file.path(), type, place.phase())) {
                            all.add(found.with(settings(file.path(), type)));
                        }
                        if (isInDialect(type)) {
                            all.add(new FilterDeclarations.Declared(
                                    type.getName(), file.path(), file.baseName(), place.phase(), 0, Map.of()));
                        }
                    }
                }
                if (all.size() == before) {
                    faults.add(FilterFault.of(file.path(), GroovyFilterCompiler.NO_FILTER));
                }
            } catch (ClassNotFoundException | LinkageError e) {
                faults.add(FilterFault.of(file.path(), String.valueOf(e)));
            } catch (FilterFaultsException e) {
                faults.addAll(e.faults());
            }
        }
        if (!faults.isEmpty()) {
            throw new FilterFaultsException(faults);
        }
        return all;
    }

    private boolean isInDialect(Class<?> type) {
        FilterDialect of = dialect;
        if (of == null || Modifier.isAbstract(type.getModifiers())) {
            return false;
        }
        for (Class<?> base = type.getSuperclass(); base != null; base = base.getSuperclass()) {
            if (of.isBase(base.getName())) {
                return true;
            }
        }
        return false;
    }

    /**
     * If the constructor of a class accepts a record, returns the line of each component of the record, by the
     * component's name.
     */
    private Map<String, Integer> settings(String file, Class<?> type) {
        return Stream.of(type.getConstructors())
                .filter(one -> one.getParameterCount() == 1)
                .map(one -> one.getParameterTypes()[0].getSimpleName())
                .map(record -> lines.getOrDefault(RecordLines.key(file, record), Map.of()))
                .findFirst()
                .orElse(Map.of());
    }

    /** Records the file in progress. It is a separate class, because a JRE lacks the interface that it implements. */
    private static final class Progress implements TaskListener {
        private final AtomicReference<String> inWork;

        private Progress(AtomicReference<String> inWork) {
            this.inWork = inWork;
        }

        static void follow(JavaCompiler.CompilationTask task, AtomicReference<String> inWork) {
            ((JavacTask) task).addTaskListener(new Progress(inWork));
        }

        @Override
        public void started(TaskEvent step) {
            JavaFileObject file = step.getSourceFile();
            if (file != null) {
                // The path is read from the URI, because the compiler wraps the files of its caller.
                inWork.set(file.toUri().getPath().substring(1));
            }
        }
    }

    private final class CompilerFiles extends ForwardingJavaFileManager<JavaFileManager> {
        CompilerFiles(JavaFileManager standard) {
            super(standard);
        }

        @Override
        public Iterable<JavaFileObject> list(
                Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse)
                throws IOException {
            if (location != StandardLocation.CLASS_PATH) {
                return super.list(location, packageName, kinds, recurse);
            }
            Map<String, JavaFileObject> found = new LinkedHashMap<>();
            for (JavaFileObject each : super.list(location, packageName, Set.of(JavaFileObject.Kind.CLASS), recurse)) {
                String name = super.inferBinaryName(location, each);
                if (name != null && !FilterClassPath.hides(name)) {
                    found.putIfAbsent(name, each);
                }
            }
            ClassLoader shared = libraries instanceof JarClassLoader ? libraries.getParent() : libraries;
            if (shared instanceof DialectClassLoader of) {
                of.classesIn(packageName).forEach((name, code) -> found.put(name, new Input(name, code)));
            }
            if (libraries instanceof JarClassLoader jars) {
                jars.classesIn(packageName).forEach((name, code) -> found.put(name, new Input(name, code)));
            }
            return found.values();
        }

        @Override
        public @Nullable String inferBinaryName(Location location, JavaFileObject file) {
            return file instanceof Input input ? input.className() : super.inferBinaryName(location, file);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, @Nullable FileObject sibling)
                throws IOException {
            if (kind != JavaFileObject.Kind.CLASS || !(sibling instanceof Source source)) {
                throw new IOException("an annotation processor generates " + className
                        + ", but only processors that change the classes of files are supported");
            }
            Output output = new Output(className, source.file().path());
            classes.put(className, output);
            return output;
        }

        @Override
        public boolean isSameFile(FileObject a, FileObject b) {
            return a.equals(b);
        }
    }
}
