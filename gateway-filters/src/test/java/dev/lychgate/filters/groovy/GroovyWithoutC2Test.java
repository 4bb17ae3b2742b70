package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The compiler directives for the methods of Groovy's compiler. */
@Tag("each-jdk")
class GroovyWithoutC2Test {
    @Test
    void theJvmAcceptsTheDirectivesOnce() throws Exception {
        GroovyWithoutC2.apply();
        String directives = directives();
        assertThat(directives)
                .contains("org/codehaus/groovy/control*.*", "org/apache/groovy/parser*.*", "Exclude:true");

        GroovyWithoutC2.apply();
        assertThat(directives()).isEqualTo(directives);
    }

    private static String directives() throws Exception {
        return String.valueOf(ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "compilerDirectivesPrint",
                        new Object[0],
                        new String[0]));
    }
}
