package dev.lychgate.server.history;

import dev.lychgate.config.WebhookConfig;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.metrics.GatewayMetrics;
import dev.lychgate.server.metrics.Losses.Kind;
import dev.lychgate.server.push.HttpPush;
import dev.lychgate.server.push.PushTarget;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Posts the entries of the history as JSON, one at a time and in their order. A separate thread sends them, so a slow
 * or unreachable receiver delays nothing. Entries that exceed the bounds of the queue are dropped and counted.
 * Thread-safe.
 */
final class Webhook implements EntryReceiver {
    static final String SIGNATURE = "x-lychgate-signature";

    private static final long QUEUE_BYTES = 4 << 20;
    private static final Duration END = Duration.ofSeconds(3);
    private static final String ALGORITHM = "HmacSHA256";

    private final HttpPush push;

    private Webhook(HttpPush push) {
        this.push = push;
    }

    /** @param current returns the settings in force, which contain the token and the key of the signature */
    static Webhook start(WebhookConfig config, Supplier<@Nullable WebhookConfig> current) {
        Supplier<WebhookConfig> now = () -> {
            WebhookConfig inForce = current.get();
            return inForce == null ? config : inForce;
        };
        PushTarget target = new PushTarget(
                config.url(),
                () -> authorization(now.get().token()),
                "application/json",
                config.timeout(),
                QUEUE_BYTES,
                config.patience(),
                false,
                null);
        return new Webhook(HttpPush.start(
                "history-webhook", target, body -> signature(now.get().secret(), body)));
    }

    private static Map<String, String> authorization(@Nullable String token) {
        return token == null ? Map.of() : Map.of("authorization", "Bearer " + token);
    }

    private static Map<String, String> signature(@Nullable String secret, byte[] body) {
        return secret == null ? Map.of() : Map.of(SIGNATURE, "sha256=" + sign(secret, body));
    }

    /** Returns the HMAC-SHA256 of a body in hexadecimal digits. */
    static String sign(String secret, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            return HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has " + ALGORITHM, e);
        }
    }

    @Override
    public void send(Entry entry) {
        push.offer(JsonText.bytes(Entry.SHAPE, entry), 1);
    }

    @Override
    public void showIn(GatewayMetrics metrics) {
        metrics.counter(
                "lychgate.history.webhook.sent",
                "Entries of the history of changes that the webhook accepted",
                push::deliveredItems);
        metrics.loss(
                Kind.RECEIVER,
                "history webhook",
                "lychgate.history.webhook.dropped",
                "Entries of the history of changes that were lost before the webhook accepted them",
                push::droppedItems);
        metrics.loss(
                Kind.RECEIVER,
                "history webhook",
                "lychgate.history.webhook.failures",
                "Failed requests to the webhook of the history",
                push::failedTries);
    }

    @Override
    public void close() {
        push.close(END);
    }
}
