package dev.lychgate.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.yaml.ConfigReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessChangesTest {
    private static final String STARTED = "listeners: [{ name: a, address: 'localhost:1' }, { name: b, address:"
            + " 'localhost:2', tls: { certificates: [{ chain: c.pem, key: k.pem }] } }]\n";

    private static GatewayConfig config(String yaml) throws Exception {
        return new ConfigReader(name -> null).read("g.yml", yaml).config();
    }

    private static ProcessChanges changes(String before, String after) throws Exception {
        return ProcessChanges.between(config(STARTED + before), config(STARTED + after));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "workers: 3 | workers: 3 (expected: the value at start: auto; restart the gateway to change it)",
                "'{ workers: 3, transport: nio }' | transport: nio (expected: the value at start: auto; restart the gateway to change it; the same applies to workers)",
                "history: { keep: 7 } | history.",
            })
    void namesEachKeyThatNeedsARestart(String change, String message) throws Exception {
        String more = change.startsWith("{")
                ? change.substring(1, change.length() - 1).strip()
                : change;
        String yaml = "{ " + STARTED.strip().replace("\n", "") + ", " + more + " }";
        ProcessChanges changes = ProcessChanges.between(config(STARTED), config(yaml));
        assertThatThrownBy(changes::requireNoRestart)
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "access-log: { queue: 128 }",
                "log: { level: debug }",
                "recorder: { keep: 7 }",
                "admin: { address: 'localhost:3' }",
                "metrics: { buckets: [1ms] }",
                "tracing: { otlp: { url: 'http://a' } }"
            })
    void aRolloutKeepsTheSettingsOfTheProcess(String change) throws Exception {
        ProcessChanges changes = changes("", change + "\n");
        assertThatCode(changes::requireNoRestart).doesNotThrowAnyException();
        assertThatThrownBy(changes::requireNone)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("during a rollout")
                .hasMessageContaining("reload without a rollout to change it");
    }

    @Test
    void tellsWhichSectionsDiffer() throws Exception {
        ProcessChanges changes = changes("access-log: { queue: 128 }\n", "metrics: { buckets: [1ms] }\n");
        assertThat(changes.touch("access-log")).isTrue();
        assertThat(changes.touch("metrics.buckets")).isTrue();
        assertThat(changes.touch("metrics")).isTrue();
        assertThat(changes.touch("metric")).isFalse();
        assertThat(changes.touch("metrics.otlp")).isFalse();
        assertThat(changes.touchSpans()).isFalse();
    }

    @Test
    void policiesOfAListenerAreNoSettingsOfTheProcess() throws Exception {
        GatewayConfig started = config(STARTED);
        GatewayConfig changed = config(STARTED.replace(
                        "localhost:1'", "localhost:1', rate-limit: a, client-protection: { connections: 5, deny: b }")
                + "rate-limits: { a: { limit: 5/s } }\naddress-lists: { b: { addresses: [10.0.0.0/8] } }\n");
        assertThatCode(ProcessChanges.between(started, changed)::requireNone).doesNotThrowAnyException();
        assertThatCode(ProcessChanges.between(changed, started)::requireNone).doesNotThrowAnyException();
    }

    @Test
    void keysOfGenerationsPass() throws Exception {
        GatewayConfig started = config(STARTED);
        GatewayConfig changed =
                config(STARTED + "drain: { timeout: 1s }\nrecorder: { slow: 3s }\ntracing: { propagate: [w3c] }\n");
        assertThatCode(ProcessChanges.between(started, changed)::requireNone).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "access-log: { hec: { url: 'http://a', token: %s } }|access-log.hec.token",
                "metrics: { otlp: { url: 'http://a', headers: { x-key: %s } } }|metrics.otlp.headers.x-key",
                "tracing: { otlp: { url: 'http://a', headers: { x-key: %s } } }|tracing.otlp.headers.x-key",
                "history: { webhook: { url: 'http://a', token: 0123456789-%s } }|history.webhook.token",
                "history: { webhook: { url: 'http://a', secret: 0123456789-%s } }|history.webhook.secret",
                "history: { otlp: { url: 'http://a', headers: { x-key: %s } } }|history.otlp.headers.x-key"
            })
    void theSecretOfAReceiverMayChangeUnlessItAppears(String yaml, String key) throws Exception {
        GatewayConfig started = config(STARTED + yaml.formatted("first-one") + "\n");
        GatewayConfig changed = config(STARTED + yaml.formatted("second-one") + "\n");
        assertThatCode(ProcessChanges.between(started, changed)::requireNone).doesNotThrowAnyException();
        assertThatThrownBy(ProcessChanges.between(config(STARTED), changed)::requireNone)
                .isInstanceOf(ConfigException.class);
        GatewayConfig elsewhere = config(STARTED + yaml.formatted("second-one").replace("http://a", "http://b") + "\n");
        assertThatThrownBy(ProcessChanges.between(started, elsewhere)::requireNone)
                .hasMessageContaining(".url: ")
                .message()
                .doesNotContain(key);
    }
}
