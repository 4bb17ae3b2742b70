package dev.lychgate.server.yaml;

import dev.lychgate.config.OnFailure;
import dev.lychgate.config.RouteAction;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code on-failure} of a route: {@code fail-fast}, or a mapping with one of {@code fail-silent}, {@code fallback} and {@code
 * filter}. */
final class OnFailureReader {
    private OnFailureReader() {}

    static OnFailure read(Element element, CrossReferences references) {
        if (element.isMapping()) {
            return element.section(s -> s.build(() -> mapping(s, references), OnFailure.FAIL_FAST));
        }
        return element.parsed(OnFailure.FAIL_FAST, text -> {
            if (!text.equals("fail-fast")) {
                throw new IllegalArgumentException("fail-fast, or a mapping with fail-silent, fallback or filter");
            }
            return OnFailure.FAIL_FAST;
        });
    }

    private static OnFailure mapping(Section s, CrossReferences references) {
        s.exactlyOne("fail-silent", "fallback", "filter");
        @Nullable RouteAction silent = s.get("fail-silent").sectionOrNull(OnFailureReader::silent);
        @Nullable RouteAction fallback = s.get("fallback").sectionOrNull(f -> ActionReader.fallback(f, references));
        Set<Integer> statuses = Set.copyOf(s.get("status").list("statuses", item -> item.number(500)));
        return new OnFailure(silent != null ? silent : fallback, s.get("filter").textOrNull(), statuses);
    }

    private static RouteAction silent(Section s) {
        return s.build(() -> OnFailure.silent(s.number("status", 204)), OnFailure.silent(204));
    }
}
