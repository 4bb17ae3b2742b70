package dev.lychgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fields that a message has at most once. */
class SingletonFieldsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type",
                "Strict-Transport-Security",
                "X-Frame-Options",
                "X-Content-Type-Options",
                "Cross-Origin-Opener-Policy",
                "Cross-Origin-Embedder-Policy",
                "Cross-Origin-Resource-Policy",
                "Origin-Agent-Cluster"
            })
    void oneReplacesTheOneBefore(String name) {
        assertThat(SingletonFields.contains(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Set-Cookie",
                "Vary",
                "Cache-Control",
                "Link",
                "Content-Security-Policy",
                "Referrer-Policy",
                "Permissions-Policy"
            })
    void listsMayComeInSeveralFields(String name) {
        assertThat(SingletonFields.contains(name)).isFalse();
    }
}
