package dev.lychgate.config;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.testing.Rfc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every setting with an IP address reads it in the same way. */
class IpLiteralTest {
    @ParameterizedTest
    @ValueSource(strings = {"010.0.0.1", "10.0.0.01", "::ffff:010.0.0.1"})
    @Rfc("6943, 3.1.1")
    void anOctetWithALeadingZeroIsRefusedEverywhere(String text) {
        String host = text.indexOf(':') < 0 ? text : "[" + text + "]";
        assertThat(IpLiteral.parse(text)).isNull();
        assertThat(IpLiteral.address(text)).isNull();
        assertThatThrownBy(() -> EndpointAddress.parse("http://" + host + ":80"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DnsConfig.parseServer(text)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DnsConfig.parseServer(host + ":53")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BindAddress.parse(host + ":80")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Cidr.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Rfc("4291, 2.5.5")
    void anIpv4CompatibleAddressIsNotTakenForIpv4() {
        assertThat(EndpointAddress.parse("http://[::192.0.2.7]:80").host()).isEqualTo("::c000:207");
        assertThat(EndpointAddress.parse("http://[::192.0.2.7]:80").isName()).isFalse();
        assertThat(EndpointAddress.parse("http://[::ffff:192.0.2.7]:80").host()).isEqualTo("192.0.2.7");
    }

    @ParameterizedTest
    @CsvSource({
        "2001:0db8:0:0:0:0:2:1, 2001:db8::2:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:DB8::ABCD, 2001:db8::abcd",
        "0:0:0:0:0:0:0:1, ::1",
        "0:0:0:0:0:0:0:0, ::",
        "::ffff:192.0.2.7, 192.0.2.7",
        "64:ff9b::192.0.2.7, 64:ff9b::c000:207",
        "2001:db8:1:2:3:4:192.0.2.7, 2001:db8:1:2:3:4:c000:207",
        "fe80::1%eth0, fe80::1",
        "192.0.2.7, 192.0.2.7"
    })
    @Rfc("5952, 4")
    void writesAddressesInCanonicalForm(String text, String canonical) {
        assertThat(IpLiteral.text(requireNonNull(IpLiteral.address(text)))).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "64:ff9b::192.0.2",
                "64:ff9b::192.0.2.256",
                "64:ff9b::192.0.2.7:1",
                "64:ff9b::1.192.0.2.7",
                "1:2:3:4:5:6:7:192.0.2.7",
                "192.0.2.7::1",
                ":192.0.2.7",
            })
    void otherMixedFormsAreRefused(String text) {
        assertThat(IpLiteral.parse(text)).isNull();
    }

    @Test
    void aZoneIsLeftOut() {
        assertThat(IpLiteral.address("fe80::1%eth0")).isEqualTo(IpLiteral.address("fe80::1"));
        assertThat(IpLiteral.address("10.0.0.1%eth0")).isNull();
        assertThat(BindAddress.parse("[fe80::1%eth0]:80").host()).isEqualTo("fe80::1%eth0");
    }
}
