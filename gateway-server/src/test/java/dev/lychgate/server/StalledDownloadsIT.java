package dev.lychgate.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.origin.DemoOrigin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that make a process with little direct memory hold as much as it can: others hardly notice. */
class StalledDownloadsIT {
    private static final Path JAR = Path.of("target/lychgate.jar").toAbsolutePath();
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final Pattern ADDRESS = Pattern.compile("listening on http://127\\.0\\.0\\.1:(\\d+) ");
    private static final int STALLED = 120;
    private static final int LENGTH = 3_000_000;
    /** Together more than the direct memory. */
    private static final int HALF_HEADS = 500;

    private static final String FIELDS = ("x-padding: " + "p".repeat(1000) + "\r\n").repeat(60);

    @TempDir
    private static Path dir = Path.of("");

    @Test
    void leaveEnoughForOthers() throws Exception {
        try (DemoOrigin origin = DemoOrigin.start()) {
            Path log = dir.resolve("log");
            Process gateway = start(origin, log, "-XX:MaxDirectMemorySize=24m");
            List<Socket> stalled = new ArrayList<>();
            try {
                int port = port(gateway, log);
                for (int i = 0; i < STALLED; i++) {
                    stalled.add(stall(port));
                }
                for (int i = 0; i < 5; i++) {
                    assertThat(download(port)).isEqualTo(LENGTH);
                }
                assertThat(log).content().doesNotContain("ERROR");
            } finally {
                gateway.destroyForcibly().waitFor();
                for (Socket one : stalled) {
                    one.close();
                }
            }
        }
    }

    /** The first is what {@code java -jar} does; the second what an embedded gateway has that opens nothing to Netty. */
    @ParameterizedTest
    @ValueSource(strings = {"-Dx=y", "-Dio.netty.tryReflectionSetAccessible=false"})
    void halfSentHeadsLeaveEnoughForOthersAndCollectNoGarbage(String option) throws Exception {
        try (DemoOrigin origin = DemoOrigin.start()) {
            Path log = dir.resolve("heads.log");
            Process gateway = start(origin, log, "-XX:MaxDirectMemorySize=48m", "-Xlog:gc", option);
            List<Socket> halves = new ArrayList<>();
            try {
                int port = port(gateway, log);
                for (int i = 0; i < HALF_HEADS; i++) {
                    halves.add(halfHead(port));
                }
                for (int i = 0; i < 5; i++) {
                    assertThat(download(port)).isEqualTo(LENGTH);
                }
                assertThat(log)
                        .content()
                        .contains("of direct memory; ")
                        .contains("memory for unfinished messages is used up")
                        .doesNotContain("ERROR", "System.gc()");
                boolean counted = option.equals("-Dx=y");
                assertThat(Files.readString(log).contains("Netty counts it before it allocates"))
                        .isEqualTo(counted || Runtime.version().feature() >= 24);
            } finally {
                gateway.destroyForcibly().waitFor();
                for (Socket one : halves) {
                    one.close();
                }
            }
        }
    }

    private static Socket halfHead(int port) throws Exception {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream().write(("GET / HTTP/1.1\r\nHost: x\r\n" + FIELDS).getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static Process start(DemoOrigin origin, Path log, String... options) throws IOException {
        Path config = Files.writeString(dir.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                routes: [{ id: all, upstream: origin }]
                upstreams: { origin: { endpoints: ["http://127.0.0.1:%d"] } }
                """.formatted(origin.port()));
        List<String> command = new ArrayList<>(List.of(JAVA, "-Xmx128m"));
        command.addAll(List.of(options));
        command.addAll(List.of("-jar", JAR.toString(), "run", "--config", config.toString()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private static int port(Process gateway, Path log) throws Exception {
        while (gateway.isAlive()) {
            Matcher address = ADDRESS.matcher(Files.readString(log));
            if (address.find()) {
                return Integer.parseInt(address.group(1));
            }
            Thread.sleep(20);
        }
        throw new AssertionError("the gateway did not start:\n" + Files.readString(log));
    }

    private static Socket stall(int port) throws Exception {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.getOutputStream()
                .write(("GET /?length=" + LENGTH + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static int download(int port) throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/?length=" + LENGTH))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofByteArray()).body().length;
    }
}
