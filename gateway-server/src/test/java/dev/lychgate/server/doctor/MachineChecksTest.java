package dev.lychgate.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.doctor.Finding.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineChecksTest {
    private static final long MIB = 1 << 20;
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

    @TempDir
    Path root = Path.of("");

    private MachineChecks machine(int java, @Nullable Path jar) {
        return new MachineChecks(root, java, jar, 1024 * MIB, NOW);
    }

    private void kernel(String file, String content) throws Exception {
        Path path = root.resolve("proc/sys/net").resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }

    private Path file(String name, Instant modified) throws Exception {
        return Files.setLastModifiedTime(Files.writeString(root.resolve(name), ""), FileTime.from(modified));
    }

    @ParameterizedTest
    @CsvSource({"17, WARNING", "24, WARNING", "25, OK", "27, OK"})
    void recommendsTheTunedVersionOfJava(int java, Level level) {
        assertThat(machine(java, null).version().level()).isEqualTo(level);
    }

    @ParameterizedTest
    @CsvSource({"17, lychgate-17.jsa, 0, OK", "25, lychgate-25.aot, 60, OK", "25, lychgate-25.aot, -60, WARNING"})
    void examinesTheClassCacheOfTheJar(int java, String name, int secondsLater, Level level) throws Exception {
        Path jar = file("lychgate.jar", NOW);
        assertThat(machine(java, jar).classCache()).satisfies(missing -> {
            assertThat(missing.level()).isEqualTo(Level.WARNING);
            assertThat(missing.text()).endsWith("run lychgate cache");
        });
        file(name, NOW.plusSeconds(secondsLater));
        assertThat(machine(java, jar).classCache().level()).isEqualTo(level);
    }

    @ParameterizedTest
    @CsvSource({"400, 424, OK", "400, 425, WARNING", "900, 10, WARNING"})
    void comparesTheMemoryOfTheJvmWithTheMachine(long heap, long direct, Level level) {
        Finding found = machine(25, null).memoryOf(heap * MIB, direct * MIB);
        assertThat(found.level()).isEqualTo(level);
        assertThat(found.text())
                .startsWith("heap " + heap + " MiB, direct memory " + direct + " MiB and about 200 MiB")
                .contains("1024 MiB");
    }

    @ParameterizedTest
    @CsvSource({"128, WARNING", "1023, WARNING", "1024, OK", "65535, OK", "unreadable, OK"})
    void examinesTheQueueOfListeningSockets(String most, Level level) throws Exception {
        kernel("core/somaxconn", most + "\n");
        assertThat(machine(25, null).backlog().level()).isEqualTo(level);
    }

    @ParameterizedTest
    @CsvSource({"32768, 60999, 28232, OK", "50000, 60999, 11000, WARNING"})
    void examinesTheRangeOfLocalPorts(int first, int last, int count, Level level) throws Exception {
        kernel("ipv4/ip_local_port_range", first + "\t" + last + "\n");
        Finding found = machine(25, null).ports();
        assertThat(found.level()).isEqualTo(level);
        assertThat(found.text()).contains(Integer.toString(count));
    }

    @Test
    void reportsNothingAboutKernelsWithoutTheseSettings() {
        assertThat(machine(25, null).backlog().level()).isEqualTo(Level.OK);
        assertThat(machine(25, null).ports().level()).isEqualTo(Level.OK);
    }

    @Test
    void detectsAClockThatIsBehindTheJar() throws Exception {
        assertThat(machine(25, file("lychgate.jar", NOW.minusSeconds(60)))
                        .clock()
                        .level())
                .isEqualTo(Level.OK);
        Finding found =
                machine(25, file("lychgate.jar", NOW.plus(Duration.ofHours(2)))).clock();
        assertThat(found.level()).isEqualTo(Level.PROBLEM);
        assertThat(found.text()).startsWith("the clock is behind: it is 2026-11-30T12:00:00Z, but ");
    }

    @Test
    void requiresAWritableDirectoryForTemporaryFiles() {
        // A warning if it is mounted with noexec.
        assertThat(MachineChecks.temporaryFiles(root).level()).isNotEqualTo(Level.PROBLEM);
        Finding found = MachineChecks.temporaryFiles(root.resolve("missing"));
        assertThat(found.level()).isEqualTo(Level.PROBLEM);
        assertThat(found.text()).contains("is not writable").endsWith("to another directory");
        assertThat(root).isEmptyDirectory();
    }
}
