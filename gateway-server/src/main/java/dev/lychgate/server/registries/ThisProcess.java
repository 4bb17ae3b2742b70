package dev.lychgate.server.registries;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** What a receiver may tell this process by. */
final class ThisProcess {
    private ThisProcess() {}

    /** The machine's name, or {@code localhost} if it has none. */
    static String host() {
        String name = System.getenv("HOSTNAME");
        if (name != null && !name.isBlank()) {
            return name;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    /** Of the gateway, as its jar says; {@code unknown} where it runs from classes. */
    static String version() {
        String version = ThisProcess.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }
}
