package dev.lychgate.filters.groovy;

import groovy.lang.GroovyClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.codehaus.groovy.control.CompilationFailedException;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.codehaus.groovy.control.ErrorCollector;
import org.codehaus.groovy.control.SourceUnit;

/**
 * Finds syntax errors. The compiler stops at the first file that has an error; this class finds the errors of all
 * files. For an error inside a closure, the parser reports only the opening bracket of the closure; this class finds
 * the exact place.
 */
final class SyntaxFaults {
    private static final Pattern PARAMETERS = Pattern.compile("\\A[\\s\\w.,<>\\[\\]]*->");
    /** The maximum depth of nested closures in which the exact place of an error is searched. */
    private static final int DEEPEST = 8;

    private final CompilerConfiguration configuration;
    private final GroovyClassLoader loader;

    SyntaxFaults(CompilerConfiguration configuration, GroovyClassLoader loader) {
        this.configuration = configuration;
        this.loader = loader;
    }

    /**
     * Returns the syntax errors of files.
     *
     * @return the errors; empty if the syntax of all files is valid
     */
    List<FilterFault> of(List<FilterSource> files) {
        List<FilterFault> faults = new ArrayList<>();
        for (FilterSource file : files) {
            for (FilterFault fault : parse(file.path(), file.text())) {
                faults.add(closer(fault, file.text(), 0));
            }
        }
        return faults;
    }

    private List<FilterFault> parse(String path, String text) {
        ErrorCollector errors = new ErrorCollector(configuration);
        SourceUnit unit = new SourceUnit(path, text, configuration, loader, errors);
        try {
            unit.parse();
            unit.completePhase();
            unit.nextPhase();
            unit.convert();
            return List.of();
        } catch (CompilationFailedException e) {
            return CompilerFaults.of(e, errors, path);
        }
    }

    /**
     * If {@code fault} is at an opening bracket, returns the first error between this bracket and its closing bracket.
     * If there is none, returns {@code fault}.
     */
    private FilterFault closer(FilterFault fault, String text, int depth) {
        int open = offset(text, fault.line(), fault.column());
        if (open < 0 || text.charAt(open) != '{' || depth == DEEPEST) {
            return fault;
        }
        int close = end(text, open);
        String inside = text.substring(open + 1, close);
        Matcher parameters = PARAMETERS.matcher(inside);
        if (parameters.find()) {
            inside = blank(inside.substring(0, parameters.end())) + inside.substring(parameters.end());
        }
        // The text before the bracket is replaced with blanks, which preserve the line numbers.
        String alone = blank(text.substring(0, open + 1)) + inside;
        List<FilterFault> faults = parse(fault.file(), alone);
        if (!faults.isEmpty()) {
            return closer(faults.get(0), alone, depth + 1);
        }
        return close < text.length()
                ? fault
                : new FilterFault(fault.file(), fault.line(), fault.column(), "this '{' is never closed");
    }

    private static String blank(String text) {
        return text.replaceAll("[^\\r\\n]", " ");
    }

    /**
     * Returns the position of the closing bracket for the bracket at {@code open}; the end of the text if there is
     * none. The position is a guess, because brackets in strings are counted as well.
     */
    private static int end(String text, int open) {
        int depth = 0;
        for (int i = open; i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return text.length();
    }

    private static int offset(String text, int line, int column) {
        int begin = 0;
        for (int i = 1; i < line; i++) {
            begin = text.indexOf('\n', begin) + 1;
            if (begin == 0) {
                return -1;
            }
        }
        int offset = begin + column - 1;
        return column > 0 && offset < text.length() ? offset : -1;
    }
}
