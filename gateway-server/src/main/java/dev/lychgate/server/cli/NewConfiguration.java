package dev.lychgate.server.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The text of a new configuration file.
 *
 * @param listen the address of the listener
 * @param upstreams the URLs of the endpoints of each upstream, at least one
 * @param certificate the files of the certificate chain and of its key; null without TLS
 * @param rate the rate limit of each client address, such as {@code 100/s}; null without a limit
 * @param health the path of active health checks; null without checks
 * @param rollout whether changes take effect gradually
 * @param admin the address of the admin listener
 */
record NewConfiguration(
        String listen,
        Map<String, List<String>> upstreams,
        @Nullable Certificate certificate,
        @Nullable String rate,
        @Nullable String health,
        boolean rollout,
        String admin) {
    /** The files of a certificate, relative to the configuration or absolute. */
    record Certificate(String chain, String key) {}

    String text() {
        List<String> lines = new ArrayList<>();
        lines.add(
                "# Written by `lychgate init`. `lychgate check --config FILE` reports the errors of this file, and the");
        lines.add("# reference docs/configuration.md describes each key. A running gateway applies each saved change.");
        lines.add("");
        lines.add("listeners:");
        lines.add("  - name: main");
        lines.add("    address: " + quoted(listen));
        if (certificate != null) {
            lines.add("    # Renewed files are used without a restart.");
            lines.add("    tls: { certificates: [{ chain: " + quoted(certificate.chain) + ", key: "
                    + quoted(certificate.key) + " }] }");
        }
        if (rate != null) {
            lines.add("    rate-limit: clients");
        }
        lines.add("");
        lines.add("# Operators and programs: /ready, /metrics, /dashboard. Do not expose this address to clients.");
        lines.add("admin: { address: " + quoted(admin) + " }");
        if (rate != null) {
            lines.add("");
            lines.add("# One bucket for each client address. A request beyond the limit gets 429.");
            lines.add("rate-limits:");
            lines.add("  clients: { limit: " + rate + " }");
        }
        lines.add("");
        lines.add("# Filters that are saved in this directory are in force within a second.");
        lines.add("filters: { directory: filters }");
        if (rollout) {
            lines.add("");
            lines.add("# A change gets a growing share of the clients, and is withdrawn if its exchanges are worse.");
            lines.add("rollout: { steps: [5%, 25%, 100%], hold: 1m }");
        }
        lines.add("");
        lines.add("routes:");
        for (String name : upstreams.keySet()) {
            String path = upstreams.size() == 1 ? "/**" : "/" + name + "/**";
            lines.add("  - { id: " + name + ", match: { path: " + quoted(path) + " }, upstream: " + name + " }");
        }
        lines.add("");
        lines.add("upstreams:");
        upstreams.forEach((name, urls) -> {
            lines.add("  " + name + ":");
            lines.add("    endpoints: ["
                    + String.join(
                            ", ", urls.stream().map(NewConfiguration::quoted).toList()) + "]");
            if (health != null) {
                lines.add("    health:");
                lines.add("      active: { path: " + quoted(health) + " }");
            }
        });
        return String.join("\n", lines) + "\n";
    }

    /** Returns a scalar of YAML in double quotes. */
    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
