package dev.lychgate.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretsTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "def secret = 'mackerel'                                | def secret = '***'",
                "foo(password: \"mackerel\", 3)                         | foo(password: \"***",
                "new Client('u', token('mackerel'))                     | new Client('u', token***'))",
                "it.request.headers['authorization'] = 'Bearer mackerel' | it.request.headers['authorization***'",
                "def fields = [\"x-api-key\": \"mackerel\"]              | def fields = [\"x-api-key***\"]",
                "if (it.request.headers['x-token'] == 'mackerel') {     | if (it.request.headers['x-token***",
                "def token = \"\"\"mackerel\"\"\"                         | def token = \"***\"",
                "def token = '''mackerel                                | def token = '***",
                "def secret = 'the\\'mackerel'                          | def secret = '***'",
                "def all = 'Basic ' + token + 'mackerel'                | def all = 'Basic ' + token***'",
                "def header = 'Authorization: Basic mackerel'           | def header = 'Authorization***'",
                "def token = /mackerel/                                 | def token = /***/",
                "fetch('http://me:mackerel@host/')                      | fetch('http://***@host/')",
            })
    void quotedTextAfterAWordForASecretIsMasked(String line, String told) {
        assertThat(Secrets.inCode(line)).isEqualTo(told).doesNotContain("mackerel");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "it.response.headers['x-stamp'] = '2'",
                "return token == given / 2",
                "log.info('done') // no token",
                "def tokens = bucket.take() // of the quota",
            })
    void otherLinesAreUnchanged(String line) {
        assertThat(Secrets.inCode(line)).isEqualTo(line);
    }

    @Test
    void theLongestLineIsMasked() {
        assertThat(Secrets.inCode("def token = '" + "x".repeat(1 << 20) + "'")).isEqualTo("def token = '***'");
        assertThat(Secrets.inCode("token" + " '".repeat(1 << 20) + "x")).endsWith("***");
    }

    @Test
    void changesOfKeysInTheQueryOfAReceiverAreShownWithoutTheKeys() {
        Object before = ConfigPage.tree(Map.of("url", URI.create("https://collector.example/v1?api_key=mackerel")));
        Object after = ConfigPage.tree(Map.of("url", URI.create("https://collector.example/v1?api_key=herring")));

        assertThat(before).hasToString("{url=https://collector.example/v1?***}");
        assertThat(ConfigDifference.between(before, after))
                .containsExactly(new ConfigDifference.Change(
                        "url", "https://collector.example/v1?***", "https://collector.example/v1?***"));
        assertThat(ConfigPage.tree(URI.create("https://collector.example/v1")))
                .isEqualTo("https://collector.example/v1");
    }
}
