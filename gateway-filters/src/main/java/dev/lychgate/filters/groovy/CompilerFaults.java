package dev.lychgate.filters.groovy;

import java.util.ArrayList;
import java.util.List;
import org.codehaus.groovy.control.CompilationFailedException;
import org.codehaus.groovy.control.ErrorCollector;
import org.codehaus.groovy.control.messages.ExceptionMessage;
import org.codehaus.groovy.control.messages.Message;
import org.codehaus.groovy.control.messages.SimpleMessage;
import org.codehaus.groovy.control.messages.SyntaxErrorMessage;
import org.codehaus.groovy.syntax.SyntaxException;
import org.jspecify.annotations.Nullable;

/** What Groovy's compiler has to say, as faults with a file and a place wherever it knows them. */
final class CompilerFaults {
    /** Stands for the file where the compiler does not say which it was. */
    static final String SOMEWHERE = "filters";

    private CompilerFaults() {}

    static List<FilterFault> of(CompilationFailedException thrown, ErrorCollector collected) {
        List<FilterFault> faults = new ArrayList<>();
        List<? extends Message> errors = collected.getErrors();
        if (errors != null) {
            errors.forEach(error -> faults.add(of(error)));
        }
        if (faults.isEmpty()) {
            faults.add(FilterFault.of(SOMEWHERE, String.valueOf(thrown.getMessage())));
        }
        return faults;
    }

    private static FilterFault of(Message error) {
        if (error instanceof SyntaxErrorMessage syntax) {
            SyntaxException cause = syntax.getCause();
            return new FilterFault(
                    file(cause.getSourceLocator()),
                    cause.getStartLine(),
                    cause.getStartColumn(),
                    cause.getOriginalMessage());
        }
        if (error instanceof ExceptionMessage exception) {
            return FilterFault.of(SOMEWHERE, String.valueOf(exception.getCause()));
        }
        return FilterFault.of(
                SOMEWHERE, error instanceof SimpleMessage simple ? simple.getMessage() : error.toString());
    }

    private static String file(@Nullable String locator) {
        return locator == null ? SOMEWHERE : locator;
    }
}
