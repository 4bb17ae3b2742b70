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
record CompiledSources(
        Map<String, byte[]> byteCode, Map<String, String> fileOf, List<FilterDeclarations.Declared> filters) {
    /** Causes may go round in a circle. */
    private static final int DEEPEST_CAUSE = 20;

    CompiledSources {
        byteCode = Map.copyOf(byteCode);
        fileOf = Map.copyOf(fileOf);
        filters = List.copyOf(filters);
    }

    @Nullable
    String fileOf(String className) {
        String own = fileOf.get(className);
        int nested = className.indexOf('$');
        return own != null || nested < 0 ? own : fileOf.get(className.substring(0, nested));
    }

    /** {@code at} with the line that has thrown: of the innermost cause that has gone through filter code. */
    FilterFault fault(Throwable thrown, FilterFault at) {
        StackTraceElement[] stack = thrown.getStackTrace();
        int depth = 0;
        for (Throwable cause = thrown; cause != null && depth < DEEPEST_CAUSE; cause = cause.getCause(), depth++) {
            if (innermost(cause.getStackTrace()) != null) {
                stack = cause.getStackTrace();
            }
        }
        return fault(stack, at);
    }

    /**
     * {@code at} with the innermost of {@code stack}'s lines that is in filter code; as it is if none is. The file stays: it is
     * the filter that is looked for, even if a class that it uses is what was at work.
     */
    FilterFault fault(StackTraceElement[] stack, FilterFault at) {
        StackTraceElement frame = innermost(stack);
        String file = frame == null ? null : fileOf(frame.getClassName());
        if (frame == null || file == null) {
            return at;
        }
        return file.equals(at.file()) || at.file().equals(CompilerFaults.SOMEWHERE)
                ? new FilterFault(file, frame.getLineNumber(), 0, at.message())
                : new FilterFault(
                        at.file(), at.line(), at.column(), at.message() + ", at " + file + ":" + frame.getLineNumber());
    }

    private @Nullable StackTraceElement innermost(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if (fileOf(frame.getClassName()) != null) {
                return frame;
            }
        }
        return null;
    }
}
