package dev.lychgate.testing;

import java.io.IOException;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The client of the {@code openssl} command, for what the JDK's does not do. */
public final class OpenSslClient {
    private final InetSocketAddress address;
    private String version = "1.1";

    public OpenSslClient(InetSocketAddress address) {
        this.address = address;
    }

    /** Whether this machine has the command. */
    public static boolean isThere() {
        try {
            return new ProcessBuilder("openssl", "version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Uses HTTP/1.0 from now on. */
    public OpenSslClient speakingHttp10() {
        version = "1.0";
        return this;
    }

    /**
     * Requests a page and reads until the end.
     *
     * @return the complete output of the command, including the response
     */
    public String get(String serverName, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "openssl",
                "s_client",
                "-connect",
                address.getAddress().getHostAddress() + ":" + address.getPort(),
                "-servername",
                serverName,
                "-ign_eof"));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (Writer request = process.outputWriter(StandardCharsets.US_ASCII)) {
            request.write("GET / HTTP/" + version + "\r\nHost: " + serverName + "\r\nConnection: close\r\n\r\n");
        } catch (IOException ended) {
            // After a refused handshake, the command may end before it has read the request. Its output says why.
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("openssl does not end");
        }
        return said;
    }
}
