package dev.lychgate.server.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.AccessConfig;
import dev.lychgate.config.AuthenticateConfig;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.filters.groovy.FilterSource;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.server.yaml.LoadedConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Equality of files with the same content. */
@Tag("slow")
class FilesReadTest {
    private static final String CONFIG = """
            listeners:
              - name: main
                address: "127.0.0.1:0"
                limits: { body: 64MiB }
                timeouts: { idle: 5s }
                trusted-proxies: ["10.0.0.0/8", "2001:db8::/32"]
            routes:
              - id: api
                match:
                  host: ["*.example.com"]
                  path: "/api/{version}/**"
                  methods: [GET, POST]
                  headers: { x-beta: "regex:y.s" }
                  clients: ["10.0.0.0/8"]
                  weight: { group: api, share: 5 }
                rewrite: { strip-prefix: 1, set-host: origin }
                filters: [{ set-request-header: { name: x-a, value: b, order: 5 } }]
                upstream: api
                timeouts: { response-head: 5s }
              - id: fixed
                respond: { status: 200, headers: { x-one: "1", x-two: "2" }, body: "a" }
              - { id: moved, match: { path: "/old" }, redirect: { status: 308, location: "https://example.com{path}" } }
            upstreams:
              api: { endpoints: ["http://10.0.0.1:9000"], pool: { idle: 4s } }
            admin: { address: "127.0.0.1:8081" }
            access-log: { format: json, file: logs/access.log }
            """;

    private static LoadedConfig config(String text) throws Exception {
        return new ConfigReader(name -> null).read("gateway.yml", text);
    }

    private static FilesRead files(String text) throws Exception {
        return FilesRead.of(config(text), FilterSources.NONE);
    }

    private static FilterSources filters(String text) {
        return FilterSources.of(List.of(new FilterSource("inbound/a.groovy", text)));
    }

    @Test
    void commentsAndBlanksAreIgnored() throws Exception {
        assertThat(files(CONFIG).isSameAs(files("# a comment\n" + CONFIG + "\n")))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "idle: 5s|idle: 6s",
                "2001:db8::/32|2001:db8::/33",
                "regex:y.s|regex:yes",
                "value: b|value: c",
                "[GET, POST]|[POST, GET]",
                "x-one: \"1\", x-two: \"2\"|x-two: \"2\", x-one: \"1\"",
                "10.0.0.1:9000|10.0.0.2:9000",
            })
    void differentSettingsAreDifferent(String before, String after) throws Exception {
        assertThat(CONFIG).contains(before);
        assertThat(files(CONFIG).isSameAs(files(CONFIG.replace(before, after)))).isFalse();
    }

    @Test
    void differentTextsOfFiltersAreDifferent() throws Exception {
        FilesRead files = FilesRead.of(config(CONFIG), filters("1"));
        assertThat(files.isSameAs(FilesRead.of(config(CONFIG), filters("1")))).isTrue();
        assertThat(files.isSameAs(FilesRead.of(config(CONFIG), filters("2")))).isFalse();
        assertThat(files.isSameAs(FilesRead.of(config(CONFIG), null))).isFalse();
    }

    private static FilterConfig guard(String name, Path file) {
        return new FilterConfig(name, Map.of("files", List.of(file)));
    }

    /** The removal of a credential must not wait for a rollout, so such files change like secrets. */
    @Test
    void filesOfAuthenticatorsAndAuthorizersChangeLikeSecrets(@TempDir Path home) throws Exception {
        Path keys = Files.writeString(home.resolve("keys"), "a\n");
        Path rules = Files.writeString(home.resolve("rules"), "a\n");
        LoadedConfig plain = config(CONFIG);
        GatewayConfig guarded = plain.config()
                .withPolicies(plain.config()
                        .policies()
                        .with(new AccessConfig(
                                new AuthenticateConfig(false, List.of(guard("api-key", keys)), Map.of()),
                                List.of(guard("rules", rules)))));
        FilesRead before = FilesRead.of(plain.with(guarded), FilterSources.NONE);
        assertThat(FilesRead.credentialFiles(guarded)).containsExactly(keys.toString(), rules.toString());
        WatchedFiles watched = new WatchedFiles(List::of, Set::of);
        watched.follow(guarded);
        assertThat(watched.secrets()).containsExactly(keys, rules);
        assertThat(watched.included()).doesNotContain(keys, rules);

        Files.writeString(keys, "a\nb\n");
        FilesRead after = FilesRead.of(plain.with(guarded), FilterSources.NONE);
        assertThat(after.isSameAs(before)).isFalse();
        assertThat(before.secretsChangedIn(after)).containsExactly("file:" + keys);
        assertThat(after.secretsChangedIn(after)).isEmpty();
        assertThat(before.content().secrets()).containsOnlyKeys("file:" + keys, "file:" + rules);
    }
}
