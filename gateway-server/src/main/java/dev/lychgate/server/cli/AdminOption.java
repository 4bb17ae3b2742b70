package dev.lychgate.server.cli;

import dev.lychgate.config.BindAddress;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.server.yaml.FaultyConfigException;
import io.netty.util.NetUtil;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the admin listener of a running gateway is: what {@code --admin} says, else what a configuration says. */
final class AdminOption {
    private static final String USUAL = "127.0.0.1:8081";

    private final ConfigOption outer;

    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT",
            description = "The admin listener of the gateway; default what --config says, else " + USUAL + ".")
    private @Nullable String admin;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "The configuration of the gateway, which names its admin listener.")
    private @Nullable Path file;

    /** @param outer the configuration that may stand in front of the command's name */
    AdminOption(ConfigOption outer) {
        this.outer = outer;
    }

    /**
     * The address to connect to.
     *
     * @throws FaultyConfigException if it is to be read from a file that is faulty, as it is when it has just been broken
     * @throws StartException if the file does not say it
     */
    String address(Surroundings surroundings) throws FaultyConfigException, StartException {
        if (admin != null) {
            return admin;
        }
        Path named = file == null ? outer.given() : file;
        return named == null ? USUAL : reachable(named, read(named, surroundings));
    }

    private static @Nullable BindAddress read(Path file, Surroundings surroundings) throws FaultyConfigException {
        try {
            return new ConfigReader(surroundings.environment())
                    .read(file)
                    .config()
                    .admin();
        } catch (FaultyConfigException e) {
            surroundings.err().println("lychgate: " + file + " is faulty; say with --admin where the gateway is");
            throw e;
        }
    }

    private static String reachable(Path file, @Nullable BindAddress bound) throws StartException {
        if (bound == null) {
            throw new StartException(file + " names no admin listener; say with --admin where it is");
        }
        if (bound.port() == 0) {
            throw new StartException(file + " lets the system choose the admin port; say with --admin which it is");
        }
        InetAddress address = NetUtil.createInetAddressFromIpAddressString(bound.host());
        if (address == null || !address.isAnyLocalAddress()) {
            return bound.toString();
        }
        // Bound to all addresses: the loopback is one of them.
        String loopback = address instanceof Inet6Address ? "::1" : "127.0.0.1";
        return new BindAddress(loopback, bound.port()).toString();
    }
}
