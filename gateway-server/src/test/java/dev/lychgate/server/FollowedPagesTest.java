package dev.lychgate.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.testing.ReaderShell;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
class FollowedPagesTest {
    private static final Path DOCS = Path.of("..", "docs");
    /** Programs that a machine of a developer may lack. */
    private static final List<String> PROGRAMS = List.of("systemd-analyze", "git", "etcd", "etcdctl");

    private static final List<String> STAND_INS = List.of("certbot", "systemctl");
    /** The test of the extension follows the page, because its jar does not exist before. */
    private static final String NEEDS_EXTENSION = "\n<!-- extension: ";

    static Stream<Path> pages() throws IOException {
        List<Path> pages;
        try (Stream<Path> tutorials = Files.list(DOCS.resolve("tutorial"));
                Stream<Path> guides = Files.list(DOCS.resolve("guides"))) {
            pages = Stream.concat(tutorials, guides).sorted().toList();
        }
        List<Path> followed = new ArrayList<>();
        for (Path page : pages) {
            if (!Files.readString(page).contains(NEEDS_EXTENSION)) {
                followed.add(page);
            }
        }
        assertThat(followed).hasSizeGreaterThan(2);
        return followed.stream();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void theCommandsOfThePagePrintWhatThePageShows(Path page, @TempDir Path directory) throws Exception {
        for (String program : PROGRAMS) {
            assumeTrue(
                    !Files.readString(page).contains("\n" + program + " ") || ReaderShell.has(program),
                    program + " is missing");
        }
        try (ReaderShell shell = ReaderShell.open(directory, programs(), Map.of())) {
            shell.follow(Files.readString(page));
        }
    }

    private static Map<String, String> programs() throws IOException {
        String classes = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                // The configuration of Logback of the tests is silent.
                .filter(each -> !each.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
        Map<String, String> programs = new HashMap<>();
        programs.put(
                "lychgate",
                "#!/bin/sh\nexec '%s/bin/java' -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '%s' %s \"$@\"\n"
                        .formatted(System.getProperty("java.home"), classes, Main.class.getName()));
        for (String name : STAND_INS) {
            try (InputStream script = FollowedPagesTest.class.getResourceAsStream("followed/" + name)) {
                programs.put(name, new String(requireNonNull(script).readAllBytes(), UTF_8));
            }
        }
        return programs;
    }
}
