package dev.lychgate.server.cli;

import dev.lychgate.server.demo.Demo;
import dev.lychgate.server.engine.RunningGateway;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Prints suggestions when the demo starts: what to try, watch and change. The commands can be pasted into a shell. */
final class DemoInvitation {
    private final PrintWriter out;
    private final Demo demo;

    DemoInvitation(PrintWriter out, Demo demo) {
        this.out = out;
        this.demo = demo;
    }

    /** @param traffic whether the demo sends requests to itself */
    void print(RunningGateway gateway, boolean traffic) {
        String address = Service.print(gateway.listeners().get(0).address());
        offer(address);
        @Nullable InetSocketAddress admin = gateway.admin();
        if (admin != null) {
            watch(Service.print(admin));
        }
        change(admin == null ? "" : " --admin " + Service.print(admin));
        out.println(
                traffic
                        ? "Traffic: the demo sends " + Demo.requestsPerSecond() + " requests per second to " + address
                                + "; --traffic off disables them."
                        : "Traffic: off.");
        out.println("Stop with Ctrl-C.");
    }

    private void offer(String address) {
        String url = "http://" + address;
        out.println("Try:");
        out.println("  curl -i " + url + "/");
        out.println("  curl -i -H 'x-canary: yes' " + url + "/");
        out.println("  curl -s -H 'x-customer: 7' " + url + "/headers");
        out.println("  curl -sN '" + url + "/events?count=5'");
        out.println("  npx wscat -c ws://" + address + "/ws");
        out.println("  curl -s --data-binary @/bin/sh " + url + "/upload");
        out.println("  curl -s '" + url + "/download?length=1073741824' | sha256sum");
        out.println("Faults: /payments fails for 20 s of each minute, which opens a circuit. /inventory has a dead");
        out.println("endpoint. /orders fails once in ten requests. /reports is slow:");
        out.println("  curl -i " + url + "/payments/1");
    }

    private void watch(String admin) {
        out.println("Watch:");
        out.println("  http://" + admin + "/dashboard");
        out.println("  bin/lychgate top --admin " + admin);
        out.println("  bin/lychgate trace --reason failed --admin " + admin);
    }

    private void change(String admin) {
        Path config = demo.config().toAbsolutePath();
        Path directory = config.resolveSibling("");
        out.println("Change a file in " + directory
                + (demo.isTemporary() ? " (removed at the end; --directory DIR keeps it):" : ":"));
        out.println("  filters/outbound/Headers.groovy: the next response after you save the file has the change");
        out.println("  bin/lychgate check --config " + quoted(config));
        out.println("  bin/lychgate rollback 1" + admin);
        out.println("  bin/lychgate reload" + admin);
    }

    private static String quoted(Path path) {
        String text = path.toString();
        return text.matches("[\\w./-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
