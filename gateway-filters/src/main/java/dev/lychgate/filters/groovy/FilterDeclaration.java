package dev.lychgate.filters.groovy;

import dev.lychgate.filter.FilterPhase;

/**
 * Where a file says that there is a filter.
 *
 * @param className of the filter, or of the script that makes it
 * @param file the file's path
 * @param baseName the file's name without {@code .groovy}
 * @param line where the class begins, counted from 1; 0 for a script
 */
record FilterDeclaration(String className, String file, String baseName, FilterPhase phase, int line) {
    FilterFault fault(String message) {
        return new FilterFault(file, line, 0, message);
    }
}
