package dev.lychgate.filters.groovy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.ModuleNode;
import org.codehaus.groovy.control.CompilationFailedException;
import org.codehaus.groovy.control.CompilationUnit;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.codehaus.groovy.control.Phases;
import org.codehaus.groovy.tools.GroovyClass;

/**
 * Compiles the scripts that filters are tested with. They may do what they like, but not end the JVM: the tests behind would
 * be silent then, and whoever waits for them would take that for success.
 */
public final class TestCode {
    private TestCode() {}

    /**
     * The class of a script; nothing of it has run.
     *
     * @param file its file's own name, for stack traces
     * @param configuration is added to
     * @param filters knows the classes of the filters
     * @throws CompilationFailedException with what the compiler says
     * @throws FilterFaultsException if it would end the JVM, or is no script
     */
    public static Class<?> compile(String file, String text, CompilerConfiguration configuration, ClassLoader filters)
            throws FilterFaultsException {
        configuration.addCompilationCustomizers(new ExitNames());
        CompilationUnit unit =
                new CompilationUnit(configuration, null, new groovy.lang.GroovyClassLoader(filters, configuration));
        unit.addSource(file, text);
        unit.compile(Phases.CLASS_GENERATION);
        Map<String, String> fileOf = new HashMap<>();
        String script = null;
        for (ModuleNode module : unit.getAST().getModules()) {
            for (ClassNode type : module.getClasses()) {
                fileOf.put(type.getName(), file);
                script = type.isScript() ? type.getName() : script;
            }
        }
        Map<String, byte[]> byteCode = new HashMap<>();
        for (GroovyClass type : unit.getClasses()) {
            byteCode.put(type.getName(), type.getBytes());
        }
        List<FilterFault> exits = ExitCalls.of(new CompiledSources(byteCode, fileOf, List.of()));
        if (!exits.isEmpty()) {
            throw new FilterFaultsException(exits);
        }
        if (script == null) {
            throw new FilterFaultsException(FilterFault.of(file, "is a class, and no script with tests"));
        }
        try {
            return new Loader(byteCode, filters).loadClass(script);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("compiled just now", e);
        }
    }

    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> byteCode;

        Loader(Map<String, byte[]> byteCode, ClassLoader filters) {
            super("tests", filters);
            this.byteCode = byteCode;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = byteCode.get(name);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }
}
