package dev.lychgate.server.yaml;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.AbortRules;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.RolloutConfig;
import dev.lychgate.config.SampleRate;
import dev.lychgate.config.ShadowConfig;
import dev.lychgate.config.Stickiness;
import dev.lychgate.config.Tolerance;
import dev.lychgate.config.WrittenConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The record has the values of the section {@code rollout}, and bad values are reported at their place. */
class RolloutReaderTest {
    private static final String REST = "listeners: [{ name: a, address: 'localhost:1' }]\n"
            + "routes: [{ id: r, upstream: u }]\nupstreams: { u: { endpoints: ['http://o'] } }\n";

    private static GatewayConfig read(String rollout) throws FaultyConfigException {
        return new ConfigReader(name -> null).read("test.yml", REST + rollout).config();
    }

    private static RolloutConfig rollout(String text) throws FaultyConfigException {
        return requireNonNull(read("rollout: " + text).rollout());
    }

    private static List<SampleRate> rates(String... texts) {
        return Stream.of(texts).map(SampleRate::parse).toList();
    }

    @Test
    void thereIsNoneByDefaultAndWithOff() throws FaultyConfigException {
        assertThat(read("").rollout()).isNull();
        assertThat(read("rollout: off").rollout()).isNull();
    }

    @Test
    void anEmptySectionHasTheDefaults() throws FaultyConfigException {
        assertThat(rollout("{}")).isEqualTo(RolloutConfig.DEFAULT);
        assertThat(RolloutConfig.DEFAULT)
                .isEqualTo(new RolloutConfig(
                        rates("1%", "10%", "50%", "100%"),
                        Duration.ofSeconds(30),
                        new Stickiness.Client(),
                        List.of(),
                        new AbortRules(
                                Tolerance.share("+1%"),
                                Tolerance.latency("+20ms"),
                                Tolerance.share("0.5%"),
                                Tolerance.share("2%")),
                        null));
    }

    @Test
    void aShadowHasDefaultsAndAShareOfMoreThanNothing() throws FaultyConfigException {
        assertThat(rollout("{ shadow: {} }").shadow())
                .isEqualTo(new ShadowConfig(
                        SampleRate.parse("10%"), Duration.ofSeconds(30), 100, ShadowConfig.OnDifference.CONTINUE));
        assertThat(rollout("{ shadow: { share: 1%, hold: 2m, requests: 7, on-difference: hold } }")
                        .shadow())
                .isEqualTo(new ShadowConfig(
                        SampleRate.parse("1%"), Duration.ofMinutes(2), 7, ShadowConfig.OnDifference.HOLD));
        assertThatThrownBy(() -> rollout("{ shadow: { share: 0% } }"))
                .hasMessageContaining("share: 0% (expected: more than 0%)");
    }

    @Test
    void everyKeyIsRead() throws FaultyConfigException {
        RolloutConfig all = rollout("{ steps: [0.5%, 20%, 100%], hold: 1s, by: { cookie: sid }, "
                + "include: [{ headers: { x-canary: \"yes\" } }, { clients: [10.0.0.0/8] }], "
                + "abort-on: { errors: 2%, p99: off, filter-failures: +0.25%, status-shift: off } }");

        assertThat(all.steps()).isEqualTo(rates("0.5%", "20%", "100%"));
        assertThat(all.hold()).isEqualTo(Duration.ofSeconds(1));
        assertThat(all.by()).isEqualTo(new Stickiness.Cookie("sid"));
        assertThat(all.include()).hasSize(2);
        assertThat(all.include().get(0).headers()).isEqualTo(Map.of("x-canary", "yes"));
        assertThat(all.include().get(1).clients()).hasSize(1);
        assertThat(all.abortOn())
                .isEqualTo(new AbortRules(
                        Tolerance.share("+2%"), Tolerance.off(), Tolerance.share("0.25%"), Tolerance.off()));
    }

    @Test
    void theLastStepIsAlwaysAllTraffic() throws FaultyConfigException {
        assertThat(rollout("{ steps: [5%] }").steps()).isEqualTo(rates("5%", "100%"));
        assertThat(rollout("{ steps: [100%] }").steps()).isEqualTo(rates("100%"));
    }

    @Test
    void aPlusSignIsOptional() throws FaultyConfigException {
        assertThat(rollout("{ abort-on: { errors: +1.5%, p99: +1s } }"))
                .isEqualTo(rollout("{ abort-on: { errors: 1.5%, p99: 1s } }"));
    }

    @Test
    void isWrittenAsTheFileHasIt() throws FaultyConfigException {
        String written = "{steps=[0.5%, 100%], hold=2s, by={header=x-tenant}, include=[], "
                + "abort-on={errors=off, p99=+30ms, filter-failures=+0.5%, status-shift=+2%}, shadow=null}";

        RolloutConfig read =
                rollout("{ steps: [0.5%], hold: 2s, by: { header: x-tenant }, abort-on: { errors: off, p99: 30ms } }");

        assertThat(WrittenConfig.of(read)).hasToString(written);
        assertThat(WrittenConfig.of(read("")).get("rollout")).isEqualTo("off");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "{ steps: [] }                        | 4:19: rollout.steps: [] (expected: 1 to 20 items)",
                "{ steps: [10%, 5%] }                 | 4:25: rollout.steps[1]: 5% (expected: more than the previous step)",
                "{ steps: [10%, 10%] }                | 4:20: rollout.steps[0]: 10% (expected: more than the previous step)",
                "{ steps: [0%, 10%] }                 | 4:20: rollout.steps[0]: 0% (expected: more than 0%, at most 100%)",
                "{ steps: [101%] }                    | 4:20: rollout.steps[0]: 101% (expected: 0% to 100%, such as 10% or 0.1%)",
                "{ hold: 0 }                          | 4:18: rollout.hold: 0 (expected: > 0)",
                "{ by: session }                      | 4:16: rollout.by: session (expected: client, request, or a mapping)",
                "{ abort-on: { errors: 0% } }         | 4:32: rollout.abort-on.errors: 0% (expected: off, or +0.01% to +50%, such as +1% or 0.5%)",
                "{ abort-on: { errors: -1% } }        | 4:32: rollout.abort-on.errors: -1% (expected: off, or +0.01% to +50%, such as +1% or 0.5%)",
                "{ abort-on: { p99: 2h } }            | 4:29: rollout.abort-on.p99: 2h (expected: off, or +1ms to +1h, such as +20ms)",
                "{ abort-on: { p95: 20ms } }          | 4:24: rollout.abort-on.p95: unknown key, did you mean 'p99'? (expected: one of errors, p99, filter-failures, status-shift)",
                "{ include: [{ listeners: [b] }] }    | 4:35: rollout.include[0].listeners: [b] (expected: only names of configured listeners: [a])",
                "{ include: [{ weight: {} }] }        | 4:24: rollout.include[0].weight: unknown key (expected: one of host, path, methods, headers, query, cookies, clients, scheme, listeners)",
                "1%                                   | 4:10: rollout: 1% (expected: off, or a mapping)",
            })
    void reportsABadValueAtItsPlace(String section, String fault) {
        assertThat(FaultsTest.faults(REST + "rollout: " + section)).containsExactly("gateway.yml:" + fault.strip());
    }

    @Test
    void refusesMoreThanTwentySteps() {
        String steps = String.join(
                        "%, ",
                        Stream.iterate(1, i -> i + 1)
                                .limit(21)
                                .map(String::valueOf)
                                .toList()) + "%";

        assertThat(FaultsTest.faults(REST + "rollout: { steps: [" + steps + "] }"))
                .containsExactly("gateway.yml:4:19: rollout.steps: 21 items (expected: 1 to 20 items)");
    }
}
