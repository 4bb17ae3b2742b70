package dev.lychgate.server.admin;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** {@code /openapi.json}: the admin API as programs read it. A file of the jar, held to what is served by a test. */
final class OpenApi {
    private static final byte[] FILE = read();

    private OpenApi() {}

    static AdminAnswer file() {
        return new AdminAnswer(HttpResponseStatus.OK, "application/json", FILE);
    }

    private static byte[] read() {
        try (InputStream file = OpenApi.class.getResourceAsStream("openapi.json")) {
            if (file == null) {
                throw new IllegalStateException("openapi.json is missing from the jar");
            }
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
