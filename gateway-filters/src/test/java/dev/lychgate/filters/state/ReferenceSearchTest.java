package dev.lychgate.filters.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The packages of the JDK that a search needs. */
@Tag("slow")
@Tag("each-jdk")
class ReferenceSearchTest {
    /** A program without the options of the tests. */
    static final class Probe {
        private Probe() {}

        public static void main(String[] args) {
            System.out.print(ReferenceSearch.isComplete());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "false, java.base/java.lang",
        "false, java.base/jdk.internal.misc",
        "true, java.base/java.lang java.base/jdk.internal.misc"
    })
    void isCompleteOnlyIfBothPackagesAreOpen(boolean complete, String opened) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String each : opened.split(" ", -1)) {
            command.add("--add-opens=" + each + "=ALL-UNNAMED");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Probe.class.getName()));
        Process probe = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(new String(probe.getInputStream().readAllBytes(), UTF_8)).isEqualTo(String.valueOf(complete));
    }
}
