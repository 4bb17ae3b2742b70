package dev.lychgate.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.UnusedPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A gateway in a separate process uses the sockets that a service manager has bound. */
@Tag("slow")
@EnabledOnOs(OS.LINUX)
class SocketActivationTest {
    private static final Duration LONGEST = Duration.ofMinutes(2);

    /** Binds sockets like systemd, and becomes the given command. Arguments: 1 if sockets do not block, ports, --. */
    private static final String MANAGER = """
            import os, socket, sys
            ports = sys.argv[2:sys.argv.index('--')]
            sockets = [socket.create_server(('127.0.0.1', int(port))) for port in ports]
            for bound in sockets:
                bound.setblocking(sys.argv[1] == '0')
            spare = [os.dup(bound.detach()) for bound in sockets]
            spare = [os.dup2(descriptor, 100 + index) for index, descriptor in enumerate(spare)]
            for index, descriptor in enumerate(spare):
                os.dup2(descriptor, 3 + index, inheritable=True)
            os.environ['LISTEN_FDS'] = str(len(ports))
            os.environ['LISTEN_PID'] = str(os.getpid())
            command = sys.argv[sys.argv.index('--') + 1:]
            os.execvp(command[0], command)
            """;

    @TempDir
    Path home = Path.of("");

    private ChildGateway launch(String listeners, boolean blocking, int... ports) throws Exception {
        Path config = Files.writeString(home.resolve("gateway.yml"), """
                listeners: [%s]
                routes: [{ id: all, match: { path: "/**" }, respond: { body: "served" } }]
                access-log: { format: off }
                """.formatted(listeners));
        Path manager = Files.writeString(home.resolve("manager.py"), MANAGER);
        StringBuilder before = new StringBuilder("set -- python3 " + manager + (blocking ? " 0" : " 1"));
        for (int port : ports) {
            before.append(' ').append(port);
        }
        return ChildGateway.launch(config, before + " -- \"$@\"; ");
    }

    @Test
    void aListenerAdoptsTheSocketWithItsAddressAndConnectionsWaitInItsQueue() throws Exception {
        int port = UnusedPort.number();
        int unused = UnusedPort.number();
        String listener = "{ name: main, address: '127.0.0.1:" + port + "' }";
        try (ChildGateway gateway = launch(listener, false, port, unused)) {
            // The gateway can't bind the port itself, because the socket of the manager does not share it.
            gateway.awaitLine("ready after");
            assertThat(gateway.log())
                    .contains("neither a listener nor admin has the address /127.0.0.1:" + unused)
                    .contains("listening on http://127.0.0.1:" + port);
            try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                    .within(LONGEST)) {
                RawMessage response = client.get("/");
                assertThat(response.body()).isEqualTo("served");
            }
        }
    }

    @Test
    void aBlockingSocketIsRefusedWithTheKeyOfTheUnit() throws Exception {
        int port = UnusedPort.number();
        try (ChildGateway gateway = launch("{ name: main, address: '127.0.0.1:" + port + "' }", true, port)) {
            gateway.awaitLine("would block an event loop; set NonBlocking=yes");
            assertThat(gateway.exitCode()).isEqualTo(1);
        }
    }
}
