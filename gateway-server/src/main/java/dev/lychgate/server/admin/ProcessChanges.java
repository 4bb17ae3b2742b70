package dev.lychgate.server.admin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.SecretNames;
import dev.lychgate.config.TracingConfig;
import dev.lychgate.server.admin.ConfigDifference.Change;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings that differ between two configurations and belong to the process, not to a generation. The settings of
 * listeners are not included, because the gateway compares them itself.
 */
public final class ProcessChanges {
    /** Matches the keys of settings that do not belong to a generation. */
    private static final Pattern OF_PROCESS = Pattern.compile("(workers|transport|admin\\.address|access-log"
            + "|recorder\\.(keep|log)|metrics|log|record|history|fleet|tracing\\.otlp)([.\\[].*)?");

    /** Matches the keys that only a restart can change. */
    private static final Pattern RESTART = Pattern.compile("(workers|transport|history|fleet)([.\\[].*)?");

    /** The key of the setting for the name of the gateway in spans and in the entries of the history. */
    private static final String SERVICE = "tracing.service";

    /**
     * Matches the keys of the secrets of receivers. The value of a secret may change at any time, because the gateway
     * reads the value for each request.
     */
    private static final Pattern SECRETS = Pattern.compile("access-log\\.hec\\.token|metrics\\.\\w+\\.headers\\..*"
            + "|tracing\\.otlp\\.headers\\..*|history\\.(webhook\\.(token|secret)|otlp\\.headers\\..*)");

    private final List<Change> changes;

    private ProcessChanges(List<Change> changes) {
        this.changes = changes;
    }

    /** Compares the settings in force with changed settings. */
    public static ProcessChanges between(GatewayConfig inForce, GatewayConfig changed) {
        return new ProcessChanges(ConfigDifference.between(ConfigPage.tree(inForce), ConfigPage.tree(changed)).stream()
                .filter(change -> OF_PROCESS.matcher(change.key()).matches()
                        || (change.key().equals(SERVICE) && (exports(inForce) || exports(changed))))
                .filter(change -> !isSecretInBoth(change))
                .toList());
    }

    private static boolean exports(GatewayConfig config) {
        TracingConfig tracing = config.tracing();
        return tracing != null && tracing.otlp() != null;
    }

    /** Returns whether a setting of a section differs, such as {@code access-log}. */
    public boolean touch(String section) {
        return changes.stream()
                .map(Change::key)
                .anyMatch(key -> key.startsWith(section)
                        && (key.length() == section.length() || ".[".indexOf(key.charAt(section.length())) >= 0));
    }

    /** Returns whether the receiver of spans, or the name of the gateway in spans, differs. */
    public boolean touchSpans() {
        return touch("tracing.otlp") || touch(SERVICE);
    }

    /**
     * Checks that the gateway can change these settings while it runs.
     *
     * @throws ConfigException if only a restart can change one of these settings; the message names all such settings
     */
    public void requireNoRestart() {
        refuse(changes.stream()
                .filter(change -> RESTART.matcher(change.key()).matches())
                .toList());
    }

    private static void refuse(List<Change> refused) {
        if (!refused.isEmpty()) {
            Change first = refused.get(0);
            throw new ConfigException(
                    first.key(),
                    shown(first.to()),
                    "the value at start: " + shown(first.from()) + "; restart the gateway to change it"
                            + others(refused));
        }
    }

    /**
     * Checks that no setting of the process differs. The candidate of a rollout must pass this check, because the
     * candidate and the stable generation serve in one process.
     *
     * @throws ConfigException if a setting of the process differs; the message names all such settings
     */
    public void requireNone() {
        requireNoRestart();
        if (!changes.isEmpty()) {
            Change first = changes.get(0);
            throw new ConfigException(
                    first.key(),
                    shown(first.to()),
                    "the value in force during a rollout: " + shown(first.from())
                            + "; reload without a rollout to change it" + others(changes));
        }
    }

    private static String others(List<Change> changes) {
        String others = changes.stream().skip(1).map(Change::key).collect(Collectors.joining(", "));
        return others.isEmpty() ? "" : "; the same applies to " + others;
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
