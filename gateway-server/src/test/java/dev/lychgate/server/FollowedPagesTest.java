package dev.lychgate.server;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Follows the tutorials and guides like a reader, in a shell. A block with a name after its language is a file, a block {@code sh NAME}
 * runs in a separate terminal, and each line of a block without a language is part of the output of the commands before it.
 */
@Tag("slow")
@Tag("any-jdk")
class FollowedPagesTest {
    private static final Path DOCS = Path.of("..", "docs");
    /** Programs that a machine of a developer may lack. */
    private static final List<String> PROGRAMS = List.of("systemd-analyze", "git", "etcd", "etcdctl");

    private static final Duration LONGEST = Duration.ofMinutes(1);

    static Stream<Path> pages() throws IOException {
        List<Path> pages;
        try (Stream<Path> tutorials = Files.list(DOCS.resolve("tutorial"));
                Stream<Path> guides = Files.list(DOCS.resolve("guides"))) {
            pages = Stream.concat(tutorials, guides).sorted().toList();
        }
        assertThat(pages).hasSizeGreaterThan(2);
        return pages.stream();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void theCommandsOfThePagePrintWhatThePageShows(Path page, @TempDir Path directory) throws Exception {
        for (String program : PROGRAMS) {
            assumeTrue(
                    !Files.readString(page).contains("\n" + program + " ") || ReaderShell.has(program),
                    program + " is missing");
        }
        try (ReaderShell shell = ReaderShell.open(directory)) {
            for (PageStep step : PageStep.of(Files.readString(page))) {
                switch (step.kind()) {
                    case FILE -> shell.write(step.name(), step.text());
                    case TERMINAL -> shell.terminal(step.name(), step.text());
                    case INTERRUPT -> shell.interrupt(step.name());
                    case COMMANDS -> {
                        if (step.output().isEmpty()) {
                            ReaderShell.Result result = shell.run(step.text());
                            assertThat(result.code())
                                    .as(step.text() + result.out())
                                    .isZero();
                        } else {
                            eventually(LONGEST, () -> {
                                ReaderShell.Result result = shell.run(step.text());
                                assertThat(result.code())
                                        .as(step.text() + result.out())
                                        .isZero();
                                for (String line : step.output()) {
                                    assertThat(result.out()).as(step.text()).containsPattern(shell.pattern(line));
                                }
                            });
                        }
                    }
                }
            }
        }
    }
}
