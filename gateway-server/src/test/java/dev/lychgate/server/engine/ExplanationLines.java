package dev.lychgate.server.engine;

import dev.lychgate.server.explain.Explanation;
import dev.lychgate.server.explain.ExplanationJson;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.terminal.ExplanationText;
import dev.lychgate.server.terminal.JsonValue;
import java.io.IOException;
import java.util.List;

/** An explanation as {@code lychgate routes} prints it. */
final class ExplanationLines {
    private ExplanationLines() {}

    static List<String> of(Explanation explanation) throws IOException {
        String json = JsonText.of(generator -> ExplanationJson.SHAPE.write(generator, explanation));
        return ExplanationText.lines(JsonValue.of(json));
    }
}
