package dev.lychgate.server.cli;

import dev.lychgate.server.terminal.ChangeText;
import picocli.CommandLine.Command;

/** {@code upgrade}: replaces the process of a running gateway, for example after the installation of a new version. */
@Command(
        name = "upgrade",
        description = {
            "Starts a new process in place of a running gateway. The new process takes over the listening sockets, so",
            "no connection is refused. The old process drains. If the new one does not serve, the old one continues."
        },
        footer = {"  lychgate upgrade", "  lychgate upgrade --config /etc/lychgate/gateway.yml"})
final class UpgradeCommand extends AdminCommand {
    UpgradeCommand() {
        super("POST", ChangeText::upgrade);
    }

    @Override
    String target() {
        return target("/upgrade");
    }
}
