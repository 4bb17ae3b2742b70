package dev.lychgate.server.cli;

import dev.lychgate.server.extensions.InstalledExtension;
import dev.lychgate.server.extensions.InstalledExtensions;
import dev.lychgate.server.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code extensions}: lists the installed extensions. Only the manifests of the jars are read. */
@Command(
        name = "extensions",
        description =
                "Lists the installed extensions, with their filters, authenticators, authorizers, stores and jars.",
        footer = {"  lychgate extensions", "  lychgate extensions --json"})
final class ExtensionsCommand extends SubCommand {
    @Mixin
    private final JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        InstalledExtensions installed = InstalledExtensions.scan();
        if (json.isGiven()) {
            print(new JsonObject()
                    .with("directories", texts(installed.directories()))
                    .with(
                            "extensions",
                            installed.found().stream()
                                    .map(ExtensionsCommand::json)
                                    .toList())
                    .with("unreadable", installed.unreadable()));
            return ExitCode.OK;
        }
        installed.found().forEach(each -> print(line(each)));
        if (installed.found().isEmpty()) {
            print("no extensions in " + String.join(", ", texts(installed.directories())));
        }
        installed.unreadable().forEach(jar -> surroundings().err().println("warning: the jar can't be read: " + jar));
        return ExitCode.OK;
    }

    private static List<String> texts(List<Path> directories) {
        return directories.stream().map(Path::toString).toList();
    }

    private static String line(InstalledExtension each) {
        String unusable = each.isSupported() ? "" : "; this gateway has another API version";
        List<String> all = Stream.of(each.filters(), each.authenticators(), each.authorizers(), each.stores())
                .flatMap(List::stream)
                .toList();
        return each.name() + " " + each.version() + " (API " + each.api() + unusable + "): " + String.join(", ", all)
                + "  " + each.jar();
    }

    private static JsonObject json(InstalledExtension each) {
        return new JsonObject()
                .with("name", each.name())
                .with("version", each.version())
                .with("api", each.api())
                .with("supported", each.isSupported())
                .with("filters", each.filters())
                .with("authenticators", each.authenticators())
                .with("authorizers", each.authorizers())
                .with("stores", each.stores())
                .with("jar", each.jar().toString());
    }
}
