package dev.lychgate.server.discovery;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** An HTTP server on loopback, whose responses a script determines. A script may block. */
final class ScriptedRegistry implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile Script script;

    /** Responds to a request. */
    interface Script {
        void run(Call call) throws Exception;
    }

    /** One request. */
    record Call(HttpExchange exchange) {
        /** Returns the path with the query. */
        String target() {
            return exchange.getRequestURI().toString();
        }

        /** Returns a parameter of the query; null if it is missing. */
        @Nullable
        String parameter(String name) {
            String query = exchange.getRequestURI().getQuery();
            for (String each : query == null ? new String[0] : query.split("&", -1)) {
                if (each.startsWith(name + "=")) {
                    return each.substring(name.length() + 1);
                }
            }
            return null;
        }

        @Nullable
        String header(String name) {
            return exchange.getRequestHeaders().getFirst(name);
        }

        void send(int status, String body, String... headers) throws IOException {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().add(headers[i], headers[i + 1]);
            }
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        }

        /** Begins a response without a known length. */
        OutputStream stream() throws IOException {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
            return exchange.getResponseBody();
        }
    }

    ScriptedRegistry(Script script) throws IOException {
        this.script = script;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) {
        Call call = new Call(exchange);
        requests.add(call.target());
        try {
            script.run(call);
        } catch (Exception e) {
            // The connection is closed, like by a server that fails.
            exchange.close();
        }
    }

    void script(Script other) {
        script = other;
    }

    /** Returns the targets of all requests. */
    List<String> requests() {
        return requests;
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public void close() {
        threads.shutdownNow();
        server.stop(0);
    }
}
