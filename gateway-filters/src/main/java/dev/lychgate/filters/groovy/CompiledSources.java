package dev.lychgate.filters.groovy;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All files of a generation as byte code; nothing of them has run.
 *
 * @param byteCode by class name
 * @param fileOf the path of the file that a class is from, by the name of the class at its top
 * @param filters where the files say there are filters
 */
record CompiledSources(Map<String, byte[]> byteCode, Map<String, String> fileOf, List<FilterDeclaration> filters) {
    CompiledSources {
        byteCode = Map.copyOf(byteCode);
        fileOf = Map.copyOf(fileOf);
        filters = List.copyOf(filters);
    }

    /** The path of the file that a class is from; null if it is from none. */
    @Nullable
    String fileOf(String className) {
        String own = fileOf.get(className);
        int nested = className.indexOf('$');
        return own != null || nested < 0 ? own : fileOf.get(className.substring(0, nested));
    }

    /** The innermost of {@code stack}'s lines that is in filter code, as a fault; one without a place if none is. */
    FilterFault fault(StackTraceElement[] stack, String elsewhere, String message) {
        for (StackTraceElement frame : stack) {
            String file = fileOf(frame.getClassName());
            if (file != null) {
                return new FilterFault(file, frame.getLineNumber(), 0, message);
            }
        }
        return FilterFault.of(elsewhere, message);
    }
}
