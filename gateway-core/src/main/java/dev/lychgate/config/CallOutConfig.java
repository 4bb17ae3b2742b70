package dev.lychgate.config;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An origin that filters may call although it is not a configured upstream. The gateway creates an upstream with
 * default settings for the origin. Routes cannot use this upstream.
 *
 * @param url scheme, host and port
 * @param addresses determines to which IP addresses of the host the gateway connects
 */
public record CallOutConfig(EndpointAddress url, AddressScope addresses) {
    private static final String EXPECTED =
            "an origin such as https://login.example.com, without a path, a final dot or a wildcard";

    private static final Key<EndpointAddress> URL = Key.typed(
                    "url",
                    Form.text("URL", CallOutConfig::origin).looking(EndpointConfig.URL_FORM),
                    new EndpointAddress("login.example.com", 443, true))
            .required(EXPECTED)
            .about("scheme, host and port");
    private static final Key<AddressScope> ADDRESSES = Key.choice("addresses", AddressScope.PUBLIC)
            .about("the IP addresses to which the gateway connects: `public` excludes private, loopback, link-local "
                    + "and other special-purpose addresses");

    static final Keys<CallOutConfig> KEYS = Keys.of(CallOutConfig::new, URL, ADDRESSES);

    public CallOutConfig {
        @Nullable InetAddress literal = IpLiteral.address(url.host());
        Expect.that(literal == null || addresses.admits(literal), "url", url, "a public address, or addresses: any");
    }

    /**
     * Reads the URL of an origin. The gateway connects only to public IP addresses of this origin.
     *
     * @throws IllegalArgumentException if the text is malformed; the message states the expected form
     */
    public static CallOutConfig parse(String url) {
        EndpointAddress origin = origin(url);
        try {
            return new CallOutConfig(origin, AddressScope.PUBLIC);
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e.expected(), e);
        }
    }

    private static EndpointAddress origin(String text) {
        EndpointAddress url;
        try {
            url = EndpointAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(EXPECTED, e);
        }
        String last = url.host().substring(url.host().lastIndexOf('.') + 1);
        // Such hosts are refused, because some resolvers read 127.1, 2130706433 and 0x7f000001 as IPv4 addresses.
        if (last.isEmpty() || (url.isName() && last.matches("\\d+|0x[0-9a-f]*"))) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return url;
    }

    /**
     * Returns the upstream for this origin. Its name is the URL with the port; no configured upstream can have such a
     * name.
     */
    UpstreamConfig upstream() {
        boolean usual = url.port() == (url.secure() ? 443 : 80);
        String host = NetUtil.isValidIpV6Address(url.host()) ? "[" + url.host() + "]" : url.host();
        return UpstreamConfig.of(
                        url.toString(), new EndpointConfig(url, 1, "", 0, Map.of(), usual ? host : url.authority()))
                .withDns(DnsConfig.DEFAULT.with(addresses));
    }
}
