package dev.lychgate.server.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} says: ours, and what we stand on. */
final class Version implements IVersionProvider {
    /** The version in the jar's manifest; {@code development} where classes run without a jar. */
    static String ours() {
        return Objects.requireNonNullElse(Version.class.getPackage().getImplementationVersion(), "development");
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "lychgate " + ours(),
            "Java " + System.getProperty("java.runtime.version") + " (" + System.getProperty("java.vm.name") + "), "
                    + System.getProperty("os.name") + " " + System.getProperty("os.arch")
        };
    }
}
