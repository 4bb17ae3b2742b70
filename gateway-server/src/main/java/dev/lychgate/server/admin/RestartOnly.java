package dev.lychgate.server.admin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.admin.ConfigDifference.Change;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The settings that a running gateway keeps: only a restart changes them. */
public final class RestartOnly {
    /** Of listeners all but the settings of TLS; that a listener speaks TLS is one of {@link #TLS}. */
    private static final Pattern KEYS =
            Pattern.compile("(workers|transport|admin\\.address|access-log|recorder\\.(keep|log)"
                    + "|metrics|log|tracing\\.otlp)([.\\[].*)?|listeners\\[(?!.*?\\]\\.tls\\b).*");

    /** A key that each {@code tls} section has. */
    private static final Pattern TLS = Pattern.compile("listeners\\[.*?\\]\\.tls\\.provider");

    private RestartOnly() {}

    /**
     * Compares the settings that a gateway was started with to others.
     *
     * @throws ConfigException if any of them is different; it names each by its key
     */
    public static void check(GatewayConfig started, GatewayConfig changed) {
        boolean exports = started.tracing() != null && started.tracing().otlp() != null;
        List<Change> changes = ConfigDifference.between(ConfigPage.tree(started), ConfigPage.tree(changed)).stream()
                .filter(change -> KEYS.matcher(change.key()).matches()
                        || (exports && change.key().equals("tracing.service"))
                        || (TLS.matcher(change.key()).matches() && (change.from() == null || change.to() == null)))
                .toList();
        if (changes.isEmpty()) {
            return;
        }
        Change first = changes.get(0);
        String others = changes.stream().skip(1).map(Change::key).collect(Collectors.joining(", "));
        throw new ConfigException(
                first.key(),
                shown(first.to()),
                "what the gateway was started with: " + shown(first.from()) + "; restart it"
                        + (others.isEmpty() ? "" : "; so it is with " + others));
    }

    private static Object shown(@Nullable String value) {
        return value == null ? "none" : value;
    }
}
