package dev.lychgate.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds the list of steps and the page that explains them together. */
class RequestStepTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Z_]+)` \\| ");

    @Test
    void pageListsTheStepsInTheirOrder() throws IOException {
        String page = Files.readString(Path.of("../docs/life-of-a-request.md"));
        Matcher rows = ROW.matcher(page.substring(0, page.indexOf("## The way back")));
        List<String> steps = new ArrayList<>();
        while (rows.find()) {
            steps.add(rows.group(1));
        }
        assertThat(steps)
                .containsExactlyElementsOf(
                        Arrays.stream(RequestStep.values()).map(Enum::name).toList());
    }

    @Test
    void eachStepLeadsToTheNext() {
        List<RequestStep> path = new ArrayList<>();
        for (RequestStep step = RequestStep.ADMIT; step != null; step = step.next()) {
            path.add(step);
        }
        assertThat(path).containsExactly(RequestStep.values());
    }
}
