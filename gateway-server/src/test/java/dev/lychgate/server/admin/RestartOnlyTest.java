package dev.lychgate.server.admin;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.yaml.ConfigReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestartOnlyTest {
    private static final String STARTED = "listeners: [{ name: a, address: 'localhost:1' }, { name: b, address:"
            + " 'localhost:2', tls: { certificates: [{ chain: c.pem, key: k.pem }] } }]\n";

    private static GatewayConfig config(String yaml) throws Exception {
        return new ConfigReader(name -> null).read("g.yml", yaml).config();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "workers: 3 | workers: 3 (expected: the value at start: auto; restart the gateway to change it)",
                "access-log: { queue: 128 } | access-log.queue: 128 (expected: the value at start: 65536; restart the gateway to change it)",
                "log: { level: debug } | log.level: debug (expected: the value at start: none; restart the gateway to change it)",
                "recorder: { keep: 7 } | recorder.keep: 7 (expected: the value at start: 256; restart the gateway to change it)",
                "admin: { address: 'localhost:3' } | admin.address: localhost:3 (expected: the value at start: none; restart the gateway to change it)",
                "'{ workers: 3, access-log: { queue: 128, file: a.log } }' | access-log.file: a.log (expected: the value at start: none; restart the gateway to change it; the same applies to access-log.queue, workers)",
            })
    void namesEachKeyThatIsDifferent(String change, String message) throws Exception {
        String more = change.startsWith("{")
                ? change.substring(1, change.length() - 1).strip()
                : change;
        String yaml = "{ " + STARTED.strip().replace("\n", "") + ", " + more + " }";
        GatewayConfig started = config(STARTED);
        GatewayConfig changed = config(yaml);
        assertThatThrownBy(() -> RestartOnly.check(started, changed))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message);
    }

    @Test
    void namesTheListenerAndItsKey() throws Exception {
        GatewayConfig started = config(STARTED);
        GatewayConfig changed = config(STARTED.replace("localhost:1'", "localhost:1', limits: { connections: 5 }"));
        assertThatThrownBy(() -> RestartOnly.check(started, changed))
                .hasMessageStartingWith("listeners[a].limits.connections: 5 (expected: ");
    }

    @Test
    void tlsOnAListenerNeedsARestartAndOtherCertificatesDoNot() throws Exception {
        GatewayConfig started = config(STARTED);
        GatewayConfig renewed = config(STARTED.replace("c.pem", "d.pem"));
        GatewayConfig without = config(STARTED.replace(", tls: { certificates: [{ chain: c.pem, key: k.pem }] }", ""));
        assertThatCode(() -> RestartOnly.check(started, renewed)).doesNotThrowAnyException();
        assertThatThrownBy(() -> RestartOnly.check(started, without))
                .hasMessageStartingWith("listeners[b].tls.provider: none (expected: ");
    }

    @Test
    void policiesOfAListenerNeedNoRestart() throws Exception {
        GatewayConfig started = config(STARTED);
        GatewayConfig changed = config(STARTED.replace(
                        "localhost:1'", "localhost:1', rate-limit: a, client-protection: { connections: 5, deny: b }")
                + "rate-limits: { a: { limit: 5/s } }\naddress-lists: { b: { addresses: [10.0.0.0/8] } }\n");
        assertThatCode(() -> RestartOnly.check(started, changed)).doesNotThrowAnyException();
        assertThatCode(() -> RestartOnly.check(changed, started)).doesNotThrowAnyException();
    }

    @Test
    void keysThatAReloadChangesPass() throws Exception {
        GatewayConfig started = config(STARTED);
        GatewayConfig changed =
                config(STARTED + "drain: { timeout: 1s }\nrecorder: { slow: 3s }\ntracing: { propagate: [w3c] }\n");
        assertThatCode(() -> RestartOnly.check(started, changed)).doesNotThrowAnyException();
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
    void theSecretOfAReceiverNeedsNoRestartUnlessItAppears(String yaml, String key) throws Exception {
        GatewayConfig started = config(STARTED + yaml.formatted("first-one") + "\n");
        GatewayConfig changed = config(STARTED + yaml.formatted("second-one") + "\n");
        assertThatCode(() -> RestartOnly.check(started, changed)).doesNotThrowAnyException();
        assertThatThrownBy(() -> RestartOnly.check(config(STARTED), changed)).isInstanceOf(ConfigException.class);
        GatewayConfig elsewhere = config(STARTED + yaml.formatted("second-one").replace("http://a", "http://b") + "\n");
        assertThatThrownBy(() -> RestartOnly.check(started, elsewhere))
                .hasMessageContaining(".url: ")
                .message()
                .doesNotContain(key);
    }
}
