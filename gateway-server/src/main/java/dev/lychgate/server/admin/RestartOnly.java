package dev.lychgate.server.admin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.SecretNames;
import dev.lychgate.server.admin.ConfigDifference.Change;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The settings that only a restart can change. */
public final class RestartOnly {
    /**
     * Matches the keys that only a restart can change. The pattern matches all keys of a listener except the keys of
     * policies and TLS settings. {@link #TLS} detects whether a listener starts or stops using TLS.
     */
    private static final Pattern KEYS = Pattern.compile(
            "(workers|transport|admin\\.address|access-log|recorder\\.(keep|log)"
                    + "|metrics|log|history|fleet|tracing\\.otlp)([.\\[].*)?|listeners\\[(?!.*?\\]\\.(tls|rate-limit|client-protection)\\b).*");

    /** Matches a key that exists for each listener with TLS, and for no other listener. */
    private static final Pattern TLS = Pattern.compile("listeners\\[.*?\\]\\.tls\\.provider");

    /**
     * Secrets of receivers. The value of a secret may change without a restart, because the gateway reads it for each
     * request. Only a restart can add or remove a secret.
     */
    private static final Pattern SECRETS = Pattern.compile("access-log\\.hec\\.token|metrics\\.\\w+\\.headers\\..*"
            + "|tracing\\.otlp\\.headers\\..*|history\\.(webhook\\.(token|secret)|otlp\\.headers\\..*)");

    private RestartOnly() {}

    /**
     * Compares changed settings with the settings that the gateway was started with.
     *
     * @throws ConfigException if a setting that only a restart can change differs; the message names all of these
     *     settings
     */
    public static void check(GatewayConfig started, GatewayConfig changed) {
        boolean exports = started.tracing() != null && started.tracing().otlp() != null;
        List<Change> changes = ConfigDifference.between(ConfigPage.tree(started), ConfigPage.tree(changed)).stream()
                .filter(change -> KEYS.matcher(change.key()).matches()
                        || (exports && change.key().equals("tracing.service"))
                        || (TLS.matcher(change.key()).matches() && (change.from() == null || change.to() == null)))
                .filter(change -> !isSecretInBoth(change))
                .toList();
        if (changes.isEmpty()) {
            return;
        }
        Change first = changes.get(0);
        String others = changes.stream().skip(1).map(Change::key).collect(Collectors.joining(", "));
        throw new ConfigException(
                first.key(),
                shown(first.to()),
                "the value at start: " + shown(first.from()) + "; restart the gateway to change it"
                        + (others.isEmpty() ? "" : "; the same applies to " + others));
    }

    private static boolean isSecretInBoth(Change change) {
        return SecretNames.MASK.equals(change.from())
                && SecretNames.MASK.equals(change.to())
                && SECRETS.matcher(change.key()).matches();
    }

    private static Object shown(@Nullable String value) {
        return value == null ? "none" : value;
    }
}
