package dev.lychgate.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ClientsConfig;
import dev.lychgate.config.LimitKey;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class KeyTextTest {
    private static String of(String key, String value) {
        return KeyText.of(LimitKey.parse(key), value);
    }

    @Test
    void namesThePartAndItsValue() {
        assertThat(of("route", "api")).isEqualTo("route api");
        assertThat(of("header:x-tenant", "acme")).isEqualTo("header x-tenant: acme");
        assertThat(of("query:q", "x".repeat(100))).isEqualTo("query q: " + "x".repeat(64) + "...");
    }

    @Test
    void neverShowsASecret() {
        for (String key :
                new String[] {"cookie:session", "header:authorization", "header:x-api-key", "query:access_token"}) {
            assertThat(of(key, "s3cret")).as(key).doesNotContain("s3cret").matches(".*: \\*\\*\\*[0-9a-f]{8}");
            assertThat(of(key, "s3cret")).as("the same value").isEqualTo(of(key, "s3cret"));
            assertThat(of(key, "other")).as("another value").isNotEqualTo(of(key, "s3cret"));
        }
    }

    @Test
    void namesTheNetworkOfAnIpv6Client() throws Exception {
        assertThat(client("192.0.2.7")).isEqualTo("client 192.0.2.7");
        assertThat(client("2001:db8:1:2:3:4:5:6")).isEqualTo("client 2001:db8:1:2::/64");
        assertThat(client("64:ff9b::c000:207")).isEqualTo("client 192.0.2.7");
    }

    private static String client(String address) throws Exception {
        return KeyText.of(ClientPrefix.of(InetAddress.getByName(address), ClientsConfig.DEFAULT));
    }
}
