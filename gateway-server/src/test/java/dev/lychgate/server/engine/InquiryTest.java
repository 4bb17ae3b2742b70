package dev.lychgate.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lychgate.config.MatchConfig;
import dev.lychgate.server.explain.Inquiry;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InquiryTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "/a/b, localhost, /a/b, -, -",
                "/a?b=c?d#e, localhost, /a, b=c?d, -",
                "http://example.com, example.com, /, -, HTTP",
                "https://example.com:8443?x, example.com:8443, /, x, HTTPS",
                "http://[::1]:8080/a/../%2f, [::1]:8080, /a/../%2f, -, HTTP"
            })
    void splitsAUrlIntoItsParts(
            String url, String host, String path, @Nullable String query, MatchConfig.@Nullable Scheme scheme) {
        InetAddress client = InetAddress.getLoopbackAddress();
        assertThat(Inquiry.parse("GET", url))
                .isEqualTo(new Inquiry("GET", host, path, query, List.of(), client, scheme));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "ftp://a/", "http:///a"})
    void refusesMalformedUrls(String url) {
        assertThatIllegalArgumentException().isThrownBy(() -> Inquiry.parse("GET", url));
    }

    @Test
    void reportsWhyAPortCanNotBeBound() {
        BindException inUse = new BindException("bind(..) failed with error(-98): Address already in use");

        assertThat(StartException.unbound("listener main", "0.0.0.0:80", inUse))
                .hasMessage("listener main can't bind 0.0.0.0:80: the address is already in use");
        assertThat(StartException.unbound("admin", "127.0.0.1:80", new IOException("Permission denied")))
                .hasMessageEndingWith("permission denied; ports below 1024 need CAP_NET_BIND_SERVICE");
        assertThat(StartException.unbound("admin", "10.9.9.9:80", new IOException("Cannot assign requested address")))
                .hasMessageEndingWith("this machine has no such address");
    }
}
