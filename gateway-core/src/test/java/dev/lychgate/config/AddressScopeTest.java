package dev.lychgate.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The addresses and URLs that filters may call outside the upstreams. */
class AddressScopeTest {
    private static boolean isPublic(String address) throws Exception {
        return AddressScope.PUBLIC.admits(InetAddress.getByName(address));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "9.255.255.255",
                "100.63.255.255",
                "100.128.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "192.167.255.255",
                "223.255.255.255",
                "2606:4700:4700::1111",
                "2a00:1450:4001::1"
            })
    void admitsPublicAddresses(String address) throws Exception {
        assertThat(isPublic(address)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "100.64.0.1",
                "100.127.255.255",
                "127.0.0.1",
                "127.255.255.254",
                "168.63.129.16",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.192",
                "192.0.2.1",
                "192.168.1.1",
                "198.18.0.1",
                "198.51.100.1",
                "203.0.113.1",
                "224.0.0.1",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::7f00:1",
                "::ffff:127.0.0.1",
                "::ffff:a9fe:a9fe",
                "64:ff9b::a9fe:a9fe",
                "64:ff9b:1::1",
                "100::1",
                "2001::1",
                "2001:db8::1",
                "2002:7f00:1::",
                "3fff::1",
                "fc00::1",
                "fd00:ec2::254",
                "fe80::1",
                "fec0::1",
                "ff02::1"
            })
    void admitsNoAddressOfSpecialUse(String address) throws Exception {
        assertThat(isPublic(address)).isFalse();
        assertThat(AddressScope.ANY.admits(InetAddress.getByName(address))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "login.example.com",
                "//login.example.com",
                "ftp://login.example.com",
                "HTTPS://login.example.com",
                "https://login.example.com/token",
                "https://login.example.com?a",
                "https://login.example.com#a",
                "https://user@login.example.com",
                "https://user:pw@login.example.com",
                "https://*.example.com",
                "https://login.example.com.",
                "https://login.example.com:0",
                "https://login.example.com:65536",
                "https://login.example.com:443:443",
                "https://login.example.com\\@evil.test",
                "https://login.éxample.com",
                "https://",
                "https://127.1",
                "https://2130706433",
                "https://0x7f000001",
                "https://0177.0.0.1",
                "https://127.0.0.1",
                "https://[::1]",
                "https://[::ffff:127.0.0.1]",
                "https://[fe80::1%25eth0]",
                "http://169.254.169.254",
                "https://10.0.0.1:8443"
            })
    void refusesUrlsThatAreNoPublicOrigins(String url) {
        assertThatThrownBy(() -> CallOutConfig.parse(url)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void namesTheUpstreamOfAnOriginByTheUrlWithThePort() {
        assertThat(CallOutConfig.parse("https://LOGIN.example.com/").upstream().name())
                .isEqualTo("https://login.example.com:443");
        assertThat(CallOutConfig.parse("https://login.example.com:443").upstream())
                .satisfies(upstream -> assertThat(upstream.dns().addresses()).isEqualTo(AddressScope.PUBLIC))
                .satisfies(upstream ->
                        assertThat(upstream.endpoints().get(0).hostField()).isEqualTo("login.example.com"));
        assertThat(CallOutConfig.parse("http://[2606:4700:4700::1111]:8080")
                        .upstream()
                        .endpoints()
                        .get(0)
                        .hostField())
                .isEqualTo("[2606:4700:4700::1111]:8080");
        assertThat(CallOutConfig.parse("http://[2606:4700:4700::1111]")
                        .upstream()
                        .endpoints()
                        .get(0)
                        .hostField())
                .isEqualTo("[2606:4700:4700::1111]");
    }
}
