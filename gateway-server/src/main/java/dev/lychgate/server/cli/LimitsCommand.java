package dev.lychgate.server.cli;

import dev.lychgate.server.terminal.ClientsText;
import dev.lychgate.server.terminal.RateLimitsText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code limits}: shows the rate limits with their counts, the keys with the most rejected requests, or the protection
 * against single clients.
 */
@Command(
        name = "limits",
        description = "Prints the rate limits of a running gateway with their counts, the keys with the most rejected"
                + " requests, or the protection against single clients.",
        footer = {"  lychgate limits", "  lychgate limits --keys", "  lychgate limits --clients"})
final class LimitsCommand extends AdminCommand {
    @Option(
            names = "--keys",
            description =
                    "Prints the keys with the most rejected requests of the last minutes; requires the role recorder.")
    private boolean keys;

    @Option(names = "--clients", description = "Prints the protection of listeners against single clients.")
    private boolean clients;

    LimitsCommand() {
        super("GET", page -> page.has("listeners") ? ClientsText.lines(page) : RateLimitsText.lines(page));
    }

    @Override
    String target() throws UsageException {
        if (keys && clients) {
            throw new UsageException("limits --keys --clients (expected: only one of these options)");
        }
        return clients ? "/clients" : keys ? "/rate-limits/keys" : "/rate-limits";
    }
}
