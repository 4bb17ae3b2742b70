package dev.lychgate.zuul;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Zuul 1.3.1 in Tomcat, with the filters of all cases. It runs in a process of its own, because its classes have the names of
 * the extension's. Its routing filter and its response filter are in {@code src/test/oracle/common}: each application with Zuul
 * has its own.
 */
final class ZuulProcess implements AutoCloseable {
    private static final Path SOURCES = Path.of("src/test/oracle");

    private final Process process;
    private final InetSocketAddress address;

    private ZuulProcess(Process process, InetSocketAddress address) {
        this.process = process;
        this.address = address;
    }

    /**
     * Starts Zuul, and returns when it accepts connections.
     *
     * @param properties the file of the properties that the filters read
     * @param origin the URL of the origin of requests without a route host
     */
    static ZuulProcess start(Path properties, String origin, Path log) throws IOException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        "target/oracle/*",
                        "groovy.ui.GroovyMain",
                        SOURCES.resolve("Oracle.groovy").toString(),
                        FilterCase.ROOT.toString(),
                        SOURCES.resolve("common").toString(),
                        properties.toString(),
                        origin))
                .redirectError(log.toFile())
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String port = out.readLine();
        if (port == null) {
            process.destroyForcibly();
            throw new IOException("Zuul did not start: " + Files.readString(log));
        }
        return new ZuulProcess(
                process, new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port, 10)));
    }

    InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
