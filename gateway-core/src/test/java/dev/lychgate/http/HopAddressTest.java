package dev.lychgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries of lists in which proxies record addresses. */
class HopAddressTest {
    @ParameterizedTest
    @CsvSource({
        "192.0.2.7, 192.0.2.7, 0",
        "192.0.2.7:50000, 192.0.2.7, 50000",
        "0.0.0.0, 0.0.0.0, 0",
        "2001:db8::7, 2001:db8::7, 0",
        "2001:DB8:0:0::7, 2001:db8::7, 0",
        "[2001:db8::7], 2001:db8::7, 0",
        "[2001:db8::7]:443, 2001:db8::7, 443",
        "[2001:db8::7]:_secret, 2001:db8::7, 0",
        "192.0.2.7:_p.1-x, 192.0.2.7, 0",
        "::ffff:192.0.2.7, 192.0.2.7, 0",
        "[::ffff:c000:207]:80, 192.0.2.7, 80",
        "::192.0.2.7, ::c000:207, 0",
        "[::c000:207]:80, ::c000:207, 80",
        "fe80::1%eth0, fe80::1, 0",
        "[fe80::1%25eth0]:80, fe80::1, 80",
        "::1, ::1, 0"
    })
    void acceptsAddressesInEverySpellingOfProxies(String entry, String address, int port) {
        InetSocketAddress parsed = HopAddress.parse(entry);

        assertThat(parsed).isNotNull();
        assertThat(NetUtil.toAddressString(parsed.getAddress())).isEqualTo(address);
        assertThat(parsed.getPort()).isEqualTo(port);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "unknown",
                "_hidden",
                "unix:",
                "localhost",
                "a.test",
                "192.0.2",
                "192.0.2.7.1",
                "192.0.2.256",
                "010.0.0.1",
                "192.0.2.07",
                "0x7f.0.0.1",
                "3221225991",
                "192.0.2.7:",
                "192.0.2.7:65536",
                "192.0.2.7:-1",
                "192.0.2.7:80:80",
                "192.0.2.7:8x",
                "192.0.2.7 192.0.2.8",
                "192.0.2.7/32",
                "[192.0.2.7]",
                "[2001:db8::7",
                "[2001:db8::7]x",
                "[2001:db8::7]:",
                "[[2001:db8::7]]",
                "2001:db8::7]",
                "2001:db8::7::1",
                "2001:db8:12345::7",
                "::ffff:192.0.2.07",
                "fe80::1%",
                "[fe80::1%]",
                "%eth0",
                ":",
                "::7%a%b]",
                "\"192.0.2.7\"",
                "1.2.3.4\u00a0"
            })
    void rejectsEverythingElse(String entry) {
        assertThat(HopAddress.parse(entry)).isNull();
    }

    @Test
    void rejectsEntriesLongerThanAnyAddress() {
        assertThat(HopAddress.parse("fe80::1%" + "e".repeat(57))).isNull();
        assertThat(HopAddress.parse("1".repeat(60_000))).isNull();
    }
}
