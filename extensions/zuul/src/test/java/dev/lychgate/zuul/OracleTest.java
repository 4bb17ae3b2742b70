package dev.lychgate.zuul;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Zuul itself runs the cases. A case without an effect would show nothing in a comparison. */
@Tag("slow")
class OracleTest {
    /** What Zuul did, for readers. */
    private static final Path RECORD = Path.of("target/oracle.txt");

    private static final Origins ORIGINS = new Origins();

    @TempDir
    private static Path dir = Path.of("");

    @SuppressWarnings("NullAway.Init") // started before all tests
    private static ZuulProcess zuul;

    @BeforeAll
    static void start() throws Exception {
        Path properties = Files.writeString(dir.resolve("legacy.properties"), SampleProperties.text(ORIGINS.other()));
        zuul = ZuulProcess.start(properties, ORIGINS.main(), dir.resolve("log"));
    }

    @AfterAll
    static void end() throws Exception {
        zuul.close();
        ORIGINS.close();
    }

    private static Outcome run(String filters, Probe probe) throws Exception {
        return ORIGINS.run(zuul.address(), new FilterCase(filters), probe);
    }

    @Test
    void forwardsEachRequestWithoutFilters() throws Exception {
        for (Probe probe : Probe.values()) {
            Outcome outcome = ORIGINS.run(zuul.address(), FilterCase.NONE, probe);

            assertThat(outcome.origin()).as(probe.toString()).contains("x-tenant: blue", "cookie: id=7; theme=dark");
            assertThat(outcome.client())
                    .as(probe.toString())
                    .contains(probe == Probe.MISSING ? "404" : "200", "x-origin: main");
        }
    }

    @Test
    void eachCaseHasAnEffect() throws Exception {
        Map<Probe, Outcome> plain = new EnumMap<>(Probe.class);
        for (Probe probe : Probe.values()) {
            plain.put(probe, ORIGINS.run(zuul.address(), FilterCase.NONE, probe));
        }
        StringBuilder record = new StringBuilder();
        List<FilterCase> without = new ArrayList<>();
        for (FilterCase filters : FilterCase.all()) {
            boolean effect = false;
            record.append(filters).append('\n');
            for (Probe probe : Probe.values()) {
                String outcome = ORIGINS.run(zuul.address(), filters, probe).toString();
                record.append(probe).append('\n').append(outcome).append('\n');
                effect |=
                        !outcome.replace("x-case: " + filters, "x-case: none").equals(String.valueOf(plain.get(probe)));
            }
            if (!effect) {
                without.add(filters);
            }
        }
        Files.writeString(RECORD, record);
        assertThat(without).isEmpty();
        assertThat(FilterCase.all()).hasSizeGreaterThanOrEqualTo(30);
    }

    @Test
    void noCaseFailsByAccident() throws Exception {
        List<String> empty = new ArrayList<>();
        for (FilterCase filters : FilterCase.all()) {
            if (run(filters.name(), Probe.FORM_POST).client().equals(List.of("200", "body \"\""))) {
                empty.add(filters.name());
            }
        }
        assertThat(empty).containsExactly("failure-without-error-filter");
    }

    @Test
    void aRefusedRequestRunsLaterFiltersAndReachesNoOrigin() throws Exception {
        Outcome outcome = run("refusal-runs-later-filters", Probe.GET);

        assertThat(outcome.origin()).isEmpty();
        assertThat(outcome.client()).contains("403", "x-refused: true", "x-status: 403", "body \"forbidden, finally\"");
    }

    @Test
    void respondsWithoutAStatusAndABodyAfterAFailureThatNoErrorFilterHandles() throws Exception {
        assertThat(run("failure-without-error-filter", Probe.FORM_POST).client())
                .containsExactly("200", "body \"\"");
    }
}
