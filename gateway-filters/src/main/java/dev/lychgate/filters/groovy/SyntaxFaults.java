package dev.lychgate.filters.groovy;

import groovy.lang.GroovyClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.codehaus.groovy.control.CompilationFailedException;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.codehaus.groovy.control.ErrorCollector;
import org.codehaus.groovy.control.SourceUnit;

/** The syntax errors of all files: the compiler gives up at the first file that has one. */
final class SyntaxFaults {
    private SyntaxFaults() {}

    static List<FilterFault> of(FilterSources sources, CompilerConfiguration configuration, GroovyClassLoader loader) {
        List<FilterFault> faults = new ArrayList<>();
        for (FilterSource file : sources.files()) {
            faults.addAll(of(file, configuration, loader));
        }
        return faults;
    }

    private static List<FilterFault> of(
            FilterSource file, CompilerConfiguration configuration, GroovyClassLoader loader) {
        ErrorCollector errors = new ErrorCollector(configuration);
        SourceUnit unit = new SourceUnit(file.path(), file.text(), configuration, loader, errors);
        try {
            unit.parse();
            unit.completePhase();
            unit.nextPhase();
            unit.convert();
            return List.of();
        } catch (CompilationFailedException e) {
            return CompilerFaults.of(e, errors);
        }
    }
}
