package dev.lychgate.server.metrics;

import io.netty.bootstrap.Bootstrap;
import io.netty.util.Version;
import java.util.Objects;

/**
 * The versions of the gateway and its platform.
 *
 * @param version the version of the gateway; {@code development} if its classes are not in a jar
 * @param java the version of Java, such as {@code 17.0.16+8}
 * @param netty the version of Netty
 */
public record Build(String version, String java, String netty) {
    public static final Build OF_PROCESS = new Build(
            Objects.requireNonNullElse(Build.class.getPackage().getImplementationVersion(), "development"),
            System.getProperty("java.runtime.version", ""),
            ofNetty());

    private static String ofNetty() {
        return Version.identify(Bootstrap.class.getClassLoader()).values().stream()
                .filter(version -> version.artifactId().equals("netty-common"))
                .map(Version::artifactVersion)
                .findFirst()
                .orElse("unknown");
    }
}
