package dev.lychgate.server.registries;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OpenTsdbRowsTest {
    private final List<String> bodies = new ArrayList<>();
    private int count;
    private final OpenTsdbRows rows = new OpenTsdbRows(1_700_000_000, Map.of("host", "a"), (json, more) -> {
        bodies.add(new String(json, StandardCharsets.US_ASCII));
        count += more;
    });

    private List<String> bodies() {
        rows.finish();
        return bodies;
    }

    @Test
    void replacesInvalidCharacters() {
        rows.add("m", 3, Map.of("endpoint", "[::1]:80 \"\\,{}\n\u00e4\u0661"));
        assertThat(bodies())
                .containsExactly(
                        "[{\"metric\":\"m\",\"timestamp\":1700000000,\"value\":3,\"tags\":{\"host\":\"a\",\"endpoint\":\"___1__80_________\"}}]");
    }

    @Test
    void anEmptyValueIsAnUnderscore() {
        rows.add("m", 0.5, Map.of("id", ""));
        assertThat(bodies().get(0)).contains("\"value\":0.5,").contains("\"id\":\"_\"");
    }

    @Test
    void omitsValuesThatAreNotNumbers() {
        rows.add("m", Double.NaN, Map.of());
        rows.add("m", Double.POSITIVE_INFINITY, Map.of());
        assertThat(bodies()).isEmpty();
    }

    @Test
    void startsANewBodyBeforeTheLimit() {
        for (int i = 0; i < 1000; i++) {
            rows.add("lychgate_requests_total", i, Map.of("route", "r" + i));
        }
        assertThat(bodies()).hasSizeGreaterThan(5).allMatch(body -> body.length() <= 8192);
        assertThat(count).isEqualTo(1000);
    }
}
