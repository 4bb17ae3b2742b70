package dev.lychgate.redis;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * A script that the Redis server runs atomically. The gateway calls it by its digest, and sends the text only to a
 * server that does not have the script.
 *
 * @param digest SHA-1 in hexadecimal
 */
record Script(String text, String digest) {
    /**
     * Charges units to a bucket, even if this causes a debt. Then takes at most a given number of the remaining units.
     */
    static final Script TAKE = of("take.lua");
    /** Registers a gateway, and counts the registered gateways. */
    static final Script GATEWAYS = of("gateways.lua");

    private static Script of(String resource) {
        try (InputStream in = Script.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("missing in the jar: " + resource);
            }
            byte[] text = in.readAllBytes();
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text);
            return new Script(
                    new String(text, StandardCharsets.UTF_8), HexFormat.of().formatHex(digest));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has SHA-1", e);
        }
    }

    /**
     * Runs the script.
     *
     * @param key the only key that the script uses
     * @return the integers that the script returns
     */
    CompletionStage<List<Long>> run(
            RedisScriptingAsyncCommands<String, String> server, String key, String... arguments) {
        String[] keys = {key};
        CompletionStage<List<Long>> known = server.evalsha(digest, ScriptOutputType.MULTI, keys, arguments);
        return known.exceptionallyCompose(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause instanceof RedisNoScriptException) {
                return server.<List<Long>>eval(text, ScriptOutputType.MULTI, keys, arguments);
            }
            throw failure instanceof CompletionException e ? e : new CompletionException(failure);
        });
    }
}
