package dev.lychgate.server;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.DomainDatagramSocketAddress;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A gateway in a separate process reports its state to the service manager, such as systemd, that started it. */
@Tag("slow")
@EnabledOnOs(OS.LINUX)
class NotifySocketTest {
    private static final Duration LONGEST = Duration.ofMinutes(2);

    @TempDir
    Path home = Path.of("");

    private Path config() throws Exception {
        return Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                routes: [{ id: all, match: { path: "/**" }, respond: { status: 204 } }]
                access-log: { format: off }
                """);
    }

    /** The socket of a service manager. */
    private static final class Receiver implements AutoCloseable {
        private final Socket socket;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(4096);

        Receiver(Path path) throws Exception {
            assertThat(Epoll.isAvailable()).isTrue();
            socket = Socket.newSocketDomainDgram();
            socket.bind(new DomainSocketAddress(path.toFile()));
        }

        /** Waits for the next report. The socket never blocks, so this method polls it. */
        String next() throws Exception {
            AtomicReference<String> report = new AtomicReference<>("");
            eventually(LONGEST, () -> {
                DomainDatagramSocketAddress sender = socket.recvFromDomainSocket(buffer, 0, buffer.capacity());
                assertThat(sender).as("a report").isNotNull();
                byte[] text = new byte[sender.receivedAmount()];
                buffer.get(0, text);
                report.set(new String(text, StandardCharsets.UTF_8));
            });
            return Objects.requireNonNull(report.get());
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void reportsThatListenersAreBoundAndThatTheDrainHasBegun() throws Exception {
        Path path = home.resolve("notify");
        try (Receiver receiver = new Receiver(path);
                ChildGateway gateway = ChildGateway.launch(config(), "export NOTIFY_SOCKET=" + path + "; ")) {
            assertThat(receiver.next()).matches("READY=1\nSTATUS=serving\nMAINPID=\\d+");
            assertThat(gateway.client().get("/").status()).isEqualTo(204);

            gateway.signal("TERM");
            assertThat(receiver.next()).isEqualTo("STOPPING=1\nSTATUS=draining");
            assertThat(gateway.exitCode()).isZero();
        }
    }

    @Test
    void servesWithAWarningIfTheSocketIsMissingOrIsNoPath() throws Exception {
        Path missing = home.resolve("missing");
        for (String value : new String[] {missing.toString(), "@abstract"}) {
            try (ChildGateway gateway = ChildGateway.launch(config(), "export NOTIFY_SOCKET=" + value + "; ")) {
                gateway.awaitLine("the service manager is not notified: ");
                gateway.awaitLine(value);
                assertThat(gateway.client().get("/").status()).isEqualTo(204);
            }
        }
    }
}
