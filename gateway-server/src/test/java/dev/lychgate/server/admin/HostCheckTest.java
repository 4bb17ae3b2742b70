package dev.lychgate.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostCheckTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LocalHost:8081",
                "127.0.0.1",
                "127.0.0.1:8081",
                "10.1.2.3:80",
                "[::1]",
                "[::1]:8081"
            })
    void acceptsAddressesAndLocalhost(String host) {
        assertThat(RequestCheck.isAddress(host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "evil.example",
                "evil.example:8081",
                "localhost.evil.example",
                "127.0.0.1.evil.example:8081",
                "[::1].evil.example",
                "[evil.example]",
                "[::1",
                "::1",
                "localhost@evil.example",
                "localhost:evil",
                "localhost:80:evil",
                "localhost:65536",
                "127.0.0.1:8081@evil.example",
                "[::1]:evil",
                "[::1]evil",
                " localhost"
            })
    void refusesNames(String host) {
        assertThat(RequestCheck.isAddress(host)).isFalse();
    }
}
