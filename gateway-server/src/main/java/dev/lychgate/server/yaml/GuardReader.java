package dev.lychgate.server.yaml;

import dev.lychgate.config.FilterConfig;
import dev.lychgate.filters.groovy.NearMiss;
import dev.lychgate.server.extensions.InstalledExtensions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads authenticators and authorizers: {@code name: { settings }}, a bare name, or the text of a rule. */
final class GuardReader {
    private static final String AUTHORIZER = "authorizer";
    /** The authorizer whose rules may be written as bare texts, and its setting that contains the rule. */
    private static final String RULES = "cel";

    private static final String RULE = "rule";

    private GuardReader() {}

    /** @param kind {@code authenticator} or {@code authorizer} */
    static FilterConfig read(Element element, String kind) {
        if (element.isMapping()) {
            return element.single(
                    "the name of an " + kind,
                    FilterReader.NONE,
                    (name, settings) -> known(name, kind, name.trail.last(), settings.orEmpty()));
        }
        if (!element.isText()) {
            element.refuse(element.shown(), "a mapping of the name of an " + kind + " to its settings");
            return FilterReader.NONE;
        }
        return kind.equals(AUTHORIZER)
                ? known(element, kind, RULES, element.under(RULES, RULE))
                : known(element, kind, element.text(""), null);
    }

    private static FilterConfig known(Element name, String kind, String text, @Nullable Element settings) {
        FilterConfig config = ExtensionReader.contribution(name, kind, text, settings);
        if (config == null) {
            refuseUnknown(name, kind, text);
            return FilterReader.NONE;
        }
        return config;
    }

    /** Refuses a name that no extension in use contributes. */
    static void refuseUnknown(Element name, String kind, String text) {
        String extension = InstalledExtensions.contributorOf(kind, text);
        if (extension != null) {
            name.refuse(
                    text,
                    kind + " of the extension " + extension + ", which is not in use; add extensions: { " + extension
                            + ": {} }");
            return;
        }
        List<String> names = name.reading.contributors.keySet().stream()
                .filter(each -> each.startsWith(kind + " "))
                .map(each -> each.substring(kind.length() + 1))
                .sorted()
                .toList();
        String near = NearMiss.of(text, names);
        if (near != null) {
            name.refuse(text, "an " + kind + "; did you mean '" + near + "'?");
        } else {
            name.refuse(
                    text,
                    names.isEmpty()
                            ? "an " + kind + " of an extension in use; no extension in use contributes one"
                            : "one of the " + kind + "s " + String.join(", ", names));
        }
    }
}
