package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.Side;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class DocumentedErrorsTest {
    private static final List<String> SIDES =
            Arrays.stream(Side.values()).map(Side::label).toList();

    @Test
    void documentsEveryKindOfErrorOnceWithItsStatus() throws Exception {
        assertThat(MarkdownTable.names("errors.md"))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(ErrorKind.values()).map(ErrorKind::label).toList());
        for (List<String> row : MarkdownTable.rows("errors.md")) {
            ErrorKind kind = Arrays.stream(ErrorKind.values())
                    .filter(k -> k.label().equals(row.get(0)))
                    .findFirst()
                    .orElseThrow();
            assertThat(row).as(row.get(0)).hasSize(5).doesNotContain("");
            assertThat(row.get(1)).as(row.get(0)).isIn(SIDES);
            assertThat(row.get(2)).as(row.get(0)).isEqualTo(String.valueOf(kind.status()));
        }
    }
}
