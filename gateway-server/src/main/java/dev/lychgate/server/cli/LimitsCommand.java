package dev.lychgate.server.cli;

import dev.lychgate.server.terminal.RateLimitsText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code limits}: shows the rate limits with their counts, or the keys with the most rejected requests. */
@Command(
        name = "limits",
        description =
                "Prints the rate limits of a running gateway with their counts, or the keys that they refuse most.",
        footer = {"  lychgate limits", "  lychgate limits --keys"})
final class LimitsCommand extends AdminCommand {
    @Option(
            names = "--keys",
            description = "The keys that were refused most in the last minutes; needs the role recorder.")
    private boolean keys;

    LimitsCommand() {
        super("GET", RateLimitsText::lines);
    }

    @Override
    String target() {
        return keys ? "/rate-limits/keys" : "/rate-limits";
    }
}
