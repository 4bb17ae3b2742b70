package dev.lychgate.filters.groovy;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The byte code of all files of a generation. No part of this code has run yet.
 *
 * @param byteCode the byte code by class name
 * @param fileOf the path of the file that contains a class, by the name of the top-level class
 */
record CompiledSources(
        Map<String, byte[]> byteCode, Map<String, String> fileOf, List<FilterDeclarations.Declared> filters) {
    /**
     * The maximum number of nested causes that are inspected. The number is limited because causes may form a cycle.
     */
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

    /**
     * Returns {@code at} with the line of filter code that threw the exception. Among the exception and its causes,
     * uses the innermost one whose stack trace contains filter code.
     */
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
     * Returns {@code at} with the innermost line of filter code in {@code stack}. Returns {@code at} unchanged if the
     * stack contains no filter code. The result names the file of the filter even if the line is in a class that the
     * filter uses.
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

    /**
     * Returns the innermost line of filter code in a stack, such as {@code inbound/a.groovy:3}; {@code file} if the
     * stack contains no filter code.
     */
    String place(String file, StackTraceElement[] stack) {
        StackTraceElement frame = innermost(stack);
        return frame == null ? file : fileOf(frame.getClassName()) + ":" + frame.getLineNumber();
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
