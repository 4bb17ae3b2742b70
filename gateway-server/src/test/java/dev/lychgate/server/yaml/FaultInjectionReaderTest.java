package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.DelayRange;
import dev.lychgate.config.FaultConfig;
import dev.lychgate.config.FaultEffects;
import dev.lychgate.config.FaultScope;
import dev.lychgate.config.FaultsConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.SampleRate;
import dev.lychgate.config.Stickiness;
import dev.lychgate.server.engine.DataPlaneEngine;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The record has the values of the section {@code faults}, and bad values are reported at their place. */
class FaultInjectionReaderTest {
    private static final String REST = "listeners: [{ name: a, address: 'localhost:1' }]\n"
            + "routes: [{ id: r, upstream: u }]\nupstreams: { u: { endpoints: ['http://o'] } }\n";
    private static final String UNTIL = ", until: 2099-12-01T12:00:00Z }] }";

    private static FaultsConfig faults(String text) throws FaultyConfigException {
        return new ConfigReader(name -> null)
                .read("test.yml", REST + text)
                .config()
                .faults();
    }

    @Test
    void faultsAreOffByDefault() throws FaultyConfigException {
        assertThat(faults("")).isEqualTo(FaultsConfig.OFF);
        assertThat(FaultsConfig.OFF.enabled()).isFalse();
    }

    @Test
    void aRuleHasAllOfItsValues() throws FaultyConfigException {
        FaultsConfig read =
                faults("faults: { enabled: true, rules: [{ name: f, match: { path: /a }, routes: [r], share: 5%,"
                        + " by: { header: x-user }, delay: 100ms-300ms, bandwidth: 16KiB" + UNTIL);
        FaultConfig expected = new FaultConfig(
                "f",
                new FaultScope(
                        MatchConfig.path("/a"), List.of("r"), new SampleRate(0.05), new Stickiness.Header("x-user")),
                new FaultEffects(DelayRange.parse("100ms-300ms"), null, null, false, new ByteSize(16 << 10)),
                Instant.parse("2099-12-01T12:00:00Z"));
        assertThat(read).isEqualTo(new FaultsConfig(true, List.of(expected)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{ name: f, abort: 503 | until",
                "{ name: f, until: 2099-12-01T12:00:00Z | at least one of delay, abort, reset and bandwidth",
                "{ name: f, abort: 200, until: 2099-12-01T12:00:00Z | 400 to 599",
                "{ name: f, abort: 503, reset: true, until: 2099-12-01T12:00:00Z | either abort or reset",
                "{ name: f, delay: 300ms-100ms, until: 2099-12-01T12:00:00Z | 100ms-300ms",
                "{ name: f, delay: 2h, until: 2099-12-01T12:00:00Z | from 1ms to 1h",
                "{ name: f, delay: 1s, share: 0, until: 2099-12-01T12:00:00Z | more than 0%",
                "{ name: f, delay: 1s, until: tomorrow | a time such as",
                "{ name: f, delay: 1s, routes: [s], until: 2099-12-01T12:00:00Z | the id of a route",
                "{ name: f, delay: 1s, grpc-status: 8, until: 2099-12-01T12:00:00Z | together with abort",
            })
    void badValuesAreReportedWithTheirLine(String rule, String expected) {
        assertThat(FaultsTest.faults(REST + "faults:\n  enabled: true\n  rules:\n    - " + rule.strip() + " }\n"))
                .anySatisfy(fault ->
                        assertThat(fault.toString()).contains(expected.strip()).contains("faults"));
    }

    @Test
    void rulesWithoutPermissionAreRefused() {
        assertThat(FaultsTest.faults(REST + "faults: { rules: [{ name: f, delay: 1s" + UNTIL))
                .anySatisfy(fault -> assertThat(fault.toString()).contains("true, because rules are configured"));
    }

    @Test
    void aMalformedPredicateIsRefused() throws FaultyConfigException {
        var config = new ConfigReader(name -> null)
                .read(
                        "test.yml",
                        REST + "faults: { enabled: true, rules: [{ name: f, match: { path: a }, delay: 1s" + UNTIL)
                .config();
        assertThat(new DataPlaneEngine().faults(config))
                .anySatisfy(fault -> assertThat(fault.getMessage()).contains("faults.rules[0].match.path"));
    }

    @Test
    void anExpiredRuleIsAWarning() throws FaultyConfigException {
        var config = new ConfigReader(name -> null)
                .read(
                        "test.yml",
                        REST
                                + "faults: { enabled: true, rules: [{ name: old, delay: 1s, until: 2020-01-01T00:00:00Z }] }")
                .config();
        assertThat(new DataPlaneEngine().warnings(config))
                .anySatisfy(warning -> assertThat(warning).contains("old expired at 2020-01-01T00:00:00Z"));
    }
}
