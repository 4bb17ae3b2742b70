package dev.lychgate.filters.groovy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Excludes the methods of Groovy's compiler and of its parser from C2, the optimizing compiler of the JVM, until the
 * process ends. C1 still compiles them. While a gateway starts with many filters, C2 takes a quarter of the CPU time
 * for methods that later run only for some milliseconds per reload. The classes of filters and Groovy's run time are
 * not affected.
 */
final class GroovyWithoutC2 {
    private static final String DIRECTIVES = """
            [ {
              match: [
                "org/codehaus/groovy/ast*.*",
                "org/codehaus/groovy/classgen*.*",
                "org/codehaus/groovy/control*.*",
                "org/codehaus/groovy/syntax*.*",
                "org/codehaus/groovy/transform*.*",
                "org/apache/groovy/ast*.*",
                "org/apache/groovy/parser*.*",
                "groovyjarjar*.*"
              ],
              c2: { Exclude: true }
            } ]
            """;

    private static final AtomicBoolean APPLIED = new AtomicBoolean();

    private GroovyWithoutC2() {}

    /** Excludes the methods that C2 has not compiled yet; without effect on a JVM other than HotSpot. */
    static void apply() {
        if (!APPLIED.compareAndSet(false, true)) {
            return;
        }
        try {
            Path file = Files.createTempFile("lychgate", ".json");
            try {
                Files.writeString(file, DIRECTIVES);
                ManagementFactory.getPlatformMBeanServer()
                        .invoke(
                                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                                "compilerDirectivesAdd",
                                new Object[] {new String[] {file.toString()}},
                                new String[] {String[].class.getName()});
            } finally {
                Files.delete(file);
            }
        } catch (IOException | JMException | RuntimeException e) {
            // Without the directives, C2 compiles these methods as well, which only takes longer.
        }
    }
}
