package dev.lychgate.server.accesslog;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.RollConfig;
import dev.lychgate.gateway.StartFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogbackSinkTest {
    @Test
    void writesBareLinesToAFileWhoseDirectoryItMakes(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("logs/today/access.log");
        try (LogbackSink sink = LogbackSink.open(file.toString(), RollConfig.DEFAULT)) {
            sink.write(bytes("one {} %n\ntwo\n"));
            assertThat(file).hasContent("one {} %n\ntwo\n");
        }
    }

    @Test
    void appendsToWhatIsThere(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("access.log");
        Files.writeString(file, "before\n");
        try (LogbackSink sink = LogbackSink.open(file.toString(), RollConfig.DEFAULT)) {
            sink.write(bytes("after\n"));
        }
        assertThat(file).hasContent("before\nafter\n");
    }

    @Test
    void refusesAFileThatCanNotBeWrittenInOneLine(@TempDir Path directory) throws IOException {
        Path notADirectory = Files.writeString(directory.resolve("file"), "");
        String file = notADirectory.resolve("access.log").toString();
        assertThatThrownBy(() -> LogbackSink.open(file, RollConfig.DEFAULT))
                .isInstanceOf(StartFailure.class)
                .hasMessageStartingWith("access-log: can't write to " + file + ": ")
                .hasMessageNotContaining("\n");
    }

    @Test
    void saysThatStandardOutputLosesLinesAsLongAsItDoes() {
        Pipe pipe = new Pipe();
        PrintStream before = System.out;
        System.setOut(new ProcessOutput(pipe));
        try (LogbackSink sink = LogbackSink.open(null, null)) {
            pipe.broken = true;
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> sink.write(bytes("lost\n")))
                        .isInstanceOf(UncheckedIOException.class)
                        .hasMessage("standard output takes nothing");
            }
            pipe.broken = false;
            sink.write(bytes("written\n"));
            assertThat(pipe.bytes.toString(US_ASCII)).isEqualTo("written\n");
        } finally {
            System.setOut(before);
        }
    }

    private static byte[] bytes(String lines) {
        return lines.getBytes(US_ASCII);
    }

    private static final class Pipe extends OutputStream {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        boolean broken;

        @Override
        public void write(int b) throws IOException {
            if (broken) {
                throw new IOException("Broken pipe");
            }
            bytes.write(b);
        }
    }

    @Test
    void writesToStandardOutputAndLeavesItOpen() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(bytes, true, US_ASCII));
        try {
            LogbackSink sink = LogbackSink.open(null, null);
            sink.write(bytes("a line\n"));
            assertThat(bytes.toString(US_ASCII)).isEqualTo("a line\n");
            sink.close();
            System.out.print("still open");
            assertThat(bytes.toString(US_ASCII)).endsWith("still open");
        } finally {
            System.setOut(before);
        }
    }
}
