package dev.lychgate.cache;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.CacheMemoryConfig;
import dev.lychgate.loop.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Stored responses for tests of the store. Times are small numbers of nanoseconds. */
final class Stored {
    private Stored() {}

    static ResponseStore store(ByteSize memory, int entries) {
        return new ResponseStore(new CacheMemoryConfig(memory, entries), new MemoryBudget(1L << 40));
    }

    static CacheKey key(String path) {
        return new CacheKey("1 http://h" + path, "h" + path);
    }

    static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31 + i / 251);
        }
        return bytes;
    }

    static @Nullable StoredBody body(ResponseStore store, byte[] bytes, long announced) {
        BodyFill fill = new BodyFill(store, 64 << 20, announced);
        ByteBuf chunk = Unpooled.wrappedBuffer(bytes);
        try {
            return fill.add(chunk) ? fill.complete() : null;
        } finally {
            chunk.release();
        }
    }

    static StoredResponse response(ResponseStore store, String path, Vary vary, byte[] body, long since) {
        return new StoredResponse(
                key(path),
                vary,
                200,
                "OK",
                new DefaultHttpHeaders(),
                CacheControl.NONE,
                new Freshness(60, 0, since, 0),
                Objects.requireNonNull(body(store, body, body.length)),
                List.of());
    }

    /** Stores a response that does not vary, with a body of this length. */
    static boolean put(ResponseStore store, String path, int length, long now) {
        if (!store.makeRoom(0)) {
            return false;
        }
        StoredBody body = body(store, bytes(length), length);
        if (body == null) {
            return false;
        }
        StoredResponse response = new StoredResponse(
                key(path),
                Vary.NONE,
                200,
                "OK",
                new DefaultHttpHeaders(),
                CacheControl.NONE,
                new Freshness(60, 0, now, 0),
                body,
                List.of("tag" + path));
        return store.put(response, EmptyHttpHeaders.INSTANCE, now);
    }

    /** Returns whether a request finds a response, and thus counts as a use of it. */
    static boolean uses(ResponseStore store, String path) {
        StoredResponse found = store.find(key(path), EmptyHttpHeaders.INSTANCE);
        if (found == null) {
            return false;
        }
        found.body.release();
        return true;
    }

    static HttpHeaders with(String name, String value) {
        return new DefaultHttpHeaders().add(name, value);
    }

    static String text(BodyReader reader) {
        ByteBuf all = reader.all();
        try {
            return all.toString(StandardCharsets.ISO_8859_1);
        } finally {
            all.release();
            reader.close();
        }
    }
}
