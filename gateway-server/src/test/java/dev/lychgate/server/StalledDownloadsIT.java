package dev.lychgate.server;

import static dev.lychgate.testing.Eventually.eventually;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.origin.DemoOrigin;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that fill the direct memory of a small process barely affect other clients. */
@Tag("slow")
class StalledDownloadsIT {
    private static final Path JAR = Path.of("target/lychgate.jar").toAbsolutePath();
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final Pattern ADDRESS = Pattern.compile("listening on http://127\\.0\\.0\\.1:(\\d+) ");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int STALLED = 120;
    private static final int LENGTH = 3_000_000;
    /** Together more than the direct memory. */
    private static final int HALF_HEADS = 500;

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;

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

    /** The first is {@code java -jar}; the second an embedded gateway without options that open packages for Netty. */
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
                // A line is written after the event.
                eventually(
                        PATIENCE,
                        () -> assertThat(log)
                                .content()
                                .contains("of direct memory; ")
                                .contains("memory budget for unfinished messages exhausted"));
                assertThat(log).content().doesNotContain("ERROR", "System.gc()");
                boolean counted = option.equals("-Dx=y");
                assertThat(Files.readString(log).contains("Netty counts the memory before each allocation"))
                        .isEqualTo(counted || Runtime.version().feature() >= 24);
            } finally {
                gateway.destroyForcibly().waitFor();
                for (Socket one : halves) {
                    one.close();
                }
            }
        }
    }

    /** Together more than the budget of bodies. */
    @Test
    void bufferedUploadsLeaveEnoughForOthers() throws Exception {
        byte[] head = "POST /whole HTTP/1.1\r\nHost: x\r\nContent-Length: 950000\r\n\r\n".getBytes(US_ASCII);
        uploadsLeaveEnoughForOthers(60, List.of(head, new byte[900_000]), StalledDownloadsIT::isServiceUnavailable);
    }

    @Test
    void uploadsByHttp2LeaveEnoughForOthers() throws Exception {
        List<byte[]> upload = new ArrayList<>();
        upload.add("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
        upload.add(frame(SETTINGS, 0, 0));
        // :method POST, :scheme http, :path /whole, :authority x (RFC 7541, appendix A).
        upload.add(frame(HEADERS, 4, 1, "\u0083\u0086\u0004\u0006/whole\u0001\u0001x".getBytes(ISO_8859_1)));
        for (int i = 0; i < 3; i++) {
            upload.add(frame(DATA, 0, 1, new byte[16_384]));
        }
        uploadsLeaveEnoughForOthers(400, upload, StalledDownloadsIT::isHeadersFrame);
    }

    @Test
    void respondsWith503OrClosesWhenNoMemoryIsLeft() throws Exception {
        Path filter = Files.createDirectories(dir.resolve("filters/inbound")).resolve("Whole.groovy");
        Files.writeString(filter, """
                import io.netty.buffer.PooledByteBufAllocator
                import io.netty.buffer.UnpooledByteBufAllocator

                def taken = []
                filter { exchange ->
                    for (memory in [UnpooledByteBufAllocator.DEFAULT, PooledByteBufAllocator.DEFAULT]) {
                        for (int size = 1 << 20; size >= 256; size >>= 1) {
                            try {
                                while (true) {
                                    taken << memory.directBuffer(size)
                                }
                            } catch (OutOfMemoryError none) {
                            }
                        }
                    }
                }
                """);
        try (DemoOrigin origin = DemoOrigin.start()) {
            Path log = dir.resolve("nothing.log");
            Process gateway = start(origin, log, "-XX:MaxDirectMemorySize=24m");
            try {
                int port = port(gateway, log);
                assertThat(untilClose(port, "/whole?length=40000")).startsWith("HTTP/1.1 503 ");
                for (int i = 0; i < 5; i++) {
                    String response = untilClose(port, "/whole?length=40000");
                    assertThat(response.isEmpty() || response.startsWith("HTTP/1.1 503 "))
                            .as(response)
                            .isTrue();
                }
                eventually(PATIENCE, () -> assertThat(log).content().contains("no direct memory is left"));
                assertThat(log).content().doesNotContain("internal error", "exceptionCaught");
            } finally {
                gateway.destroyForcibly().waitFor();
            }
        }
    }

    /** Fails if the gateway neither responds nor closes the connection. */
    private static String untilClose(int port, String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        } catch (SocketException reset) {
            return "";
        }
    }

    /** Together 32 MB of responses that no window admits, on fewer streams than the connections of an upstream. */
    @Test
    void closedWindowsOfHttp2LeaveEnoughForOthers() throws Exception {
        ByteArrayOutputStream requests = new ByteArrayOutputStream();
        requests.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
        // The first window of each stream is 0.
        requests.writeBytes(frame(SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, 0}));
        // :method GET, :scheme http, :path /?length=40000, :authority x (RFC 7541, appendix A).
        byte[] block = "\u0082\u0086\u0004\u000e/?length=40000\u0001\u0001x".getBytes(ISO_8859_1);
        for (int stream = 1; stream < 80; stream += 2) {
            requests.writeBytes(frame(HEADERS, 5, stream, block));
        }
        try (DemoOrigin origin = DemoOrigin.start()) {
            Path log = dir.resolve("windows.log");
            Process gateway = start(origin, log, "-XX:MaxDirectMemorySize=24m");
            List<Socket> stalled = new ArrayList<>();
            try {
                int port = port(gateway, log);
                for (int i = 0; i < 20; i++) {
                    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                    stalled.add(socket);
                    socket.getOutputStream().write(requests.toByteArray());
                }
                for (int i = 0; i < 10; i++) {
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

    private interface Refusal {
        boolean isNext(DataInputStream in) throws IOException;
    }

    private static boolean isServiceUnavailable(DataInputStream in) throws IOException {
        byte[] begin = new byte[12];
        in.readFully(begin);
        return new String(begin, US_ASCII).equals("HTTP/1.1 503");
    }

    /** The first one is that of an error response: no upload ends. */
    private static boolean isHeadersFrame(DataInputStream in) throws IOException {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        in.skipNBytes(5L + length);
        return type == HEADERS;
    }

    private static byte[] frame(int type, int flags, int stream, byte... payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .put((byte) 0)
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    private static void uploadsLeaveEnoughForOthers(int count, List<byte[]> upload, Refusal refusal) throws Exception {
        Path filter = Files.createDirectories(dir.resolve("filters/inbound")).resolve("Whole.groovy");
        Files.writeString(filter, "body 1048576\nfilter { exchange -> exchange.request.body.length }\n");
        CountDownLatch refused = new CountDownLatch(1);
        try (DemoOrigin origin = DemoOrigin.start()) {
            Path log = dir.resolve("uploads.log");
            Process gateway = start(origin, log, "-XX:MaxDirectMemorySize=48m", "-Xlog:gc");
            List<Socket> uploads = new ArrayList<>();
            try {
                int port = port(gateway, log);
                for (int i = 0; i < count; i++) {
                    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                    uploads.add(socket);
                    Thread thread = new Thread(() -> upload(socket, upload, refusal, refused));
                    thread.setDaemon(true);
                    thread.start();
                }
                assertThat(refused.await(120, TimeUnit.SECONDS)).as("refused").isTrue();
                for (int i = 0; i < 5; i++) {
                    assertThat(download(port)).isEqualTo(LENGTH);
                }
                assertThat(log).content().doesNotContain("ERROR", "System.gc()");
            } finally {
                gateway.destroyForcibly().waitFor();
                for (Socket one : uploads) {
                    one.close();
                }
            }
        }
    }

    private static void upload(Socket socket, List<byte[]> upload, Refusal refusal, CountDownLatch refused) {
        try {
            for (byte[] bytes : upload) {
                socket.getOutputStream().write(bytes);
            }
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (!refusal.isNext(in)) {
                // Data before it is ignored.
            }
            refused.countDown();
        } catch (IOException e) {
            // It was closed.
        }
    }

    private static Socket halfHead(int port) throws Exception {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream().write(("GET / HTTP/1.1\r\nHost: x\r\n" + FIELDS).getBytes(US_ASCII));
        return socket;
    }

    private static Process start(DemoOrigin origin, Path log, String... options) throws IOException {
        Path filters = Files.createDirectories(dir.resolve("filters"));
        boolean whole = Files.exists(filters.resolve("inbound/Whole.groovy"));
        Path config = Files.writeString(
                dir.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { directory: "%s", guard: { action: warn } }
                routes:
                  - { id: whole, match: { path: /whole }, filters: [%s], upstream: origin }
                  - { id: all, upstream: origin }
                upstreams: { origin: { endpoints: ["http://127.0.0.1:%d"] } }
                """.formatted(filters, whole ? "Whole" : "", origin.port()));
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
        socket.getOutputStream().write(("GET /?length=" + LENGTH + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(US_ASCII));
        return socket;
    }

    private static int download(int port) throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/?length=" + LENGTH))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofByteArray()).body().length;
    }
}
