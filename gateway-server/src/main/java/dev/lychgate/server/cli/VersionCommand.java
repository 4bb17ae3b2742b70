package dev.lychgate.server.cli;

import dev.lychgate.server.json.JsonObject;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;

/** {@code version} and {@code --version}: prints the version of the gateway and of the JVM. */
@Command(
        name = "version",
        description = "Prints the version of the gateway and of the JVM.",
        footer = {"  lychgate version", "  lychgate version --json"})
final class VersionCommand extends SubCommand implements IVersionProvider {
    @Mixin
    private final JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        if (json.isGiven()) {
            print(new JsonObject()
                    .with("version", ours())
                    .with("java", System.getProperty("java.runtime.version"))
                    .with("vm", System.getProperty("java.vm.name"))
                    .with("os", System.getProperty("os.name"))
                    .with("architecture", System.getProperty("os.arch")));
        } else {
            print(String.join(System.lineSeparator(), getVersion()));
        }
        return ExitCode.OK;
    }

    /** Returns the version in the jar's manifest; {@code development} if the gateway does not run from a jar. */
    private static String ours() {
        return Objects.requireNonNullElse(VersionCommand.class.getPackage().getImplementationVersion(), "development");
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
