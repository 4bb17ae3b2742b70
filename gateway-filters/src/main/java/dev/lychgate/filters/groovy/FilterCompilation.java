package dev.lychgate.filters.groovy;

import groovy.lang.GroovyClassLoader;
import java.util.concurrent.atomic.AtomicReference;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.classgen.GeneratorContext;
import org.codehaus.groovy.control.CompilationUnit;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.codehaus.groovy.control.SourceUnit;

/**
 * Groovy's compiler, which says what file it is at: its own word for a fault of the JVM, or for being busy until the time is
 * over, is none.
 */
final class FilterCompilation extends CompilationUnit {
    private final AtomicReference<String> file;

    FilterCompilation(CompilerConfiguration configuration, GroovyClassLoader loader, AtomicReference<String> file) {
        super(configuration, null, loader);
        this.file = file;
    }

    @Override
    public void addPhaseOperation(ISourceUnitOperation step, int phase) {
        super.addPhaseOperation(
                (ISourceUnitOperation) source -> {
                    file.set(source.getName());
                    step.call(source);
                },
                phase);
    }

    @Override
    public void addPhaseOperation(IPrimaryClassNodeOperation step, int phase) {
        super.addPhaseOperation(new Told(step), phase);
    }

    /** A step that tells its file. Not static: the constructor above adds steps before there is a file to tell. */
    private final class Told implements IPrimaryClassNodeOperation {
        private final IPrimaryClassNodeOperation step;

        Told(IPrimaryClassNodeOperation step) {
            this.step = step;
        }

        @Override
        public void call(SourceUnit source, GeneratorContext context, ClassNode type) {
            if (source != null) {
                file.set(source.getName());
            }
            step.call(source, context, type);
        }

        @Override
        public boolean needSortedInput() {
            return step.needSortedInput();
        }
    }
}
