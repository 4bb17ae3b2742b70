package dev.lychgate.config;

import io.netty.util.NetUtil;
import java.net.URI;
import java.net.URISyntaxException;

/**
 * Where an endpoint listens, written as a URL with neither path nor query: {@code http://10.0.0.1:9000}.
 *
 * What identifies an endpoint from one generation to the next: its connections and its state are kept by this.
 *
 * @param host an IP address (IPv6 without brackets) or a host name
 * @param port 1 to 65535; default 80
 */
public record EndpointAddress(String host, int port) {
    public EndpointAddress {
        Expect.that(!host.isEmpty(), "url", host, "a host");
        Expect.between(1, 65535, "url", port);
    }

    /**
     * Reads a URL.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static EndpointAddress parse(String url) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("a URL such as http://10.0.0.1:9000", e);
        }
        String host = uri.getHost();
        if (!"http".equals(uri.getScheme())) {
            throw new IllegalArgumentException("a URL that begins with http://");
        }
        if (host == null
                || uri.getUserInfo() != null
                || uri.getQuery() != null
                || uri.getFragment() != null
                || !(uri.getPath().isEmpty() || uri.getPath().equals("/"))) {
            throw new IllegalArgumentException("a URL of host and port alone, such as http://10.0.0.1:9000");
        }
        int port = uri.getPort() < 0 ? 80 : uri.getPort();
        if (port == 0 || port > 65535) {
            throw new IllegalArgumentException("a port from 1 to 65535");
        }
        return new EndpointAddress(host.startsWith("[") ? host.substring(1, host.length() - 1) : host, port);
    }

    /** Whether the host is a name, not an IP address. */
    public boolean isName() {
        return NetUtil.createByteArrayFromIpAddressString(host) == null;
    }

    /** Host and port as they stand in a Host field: {@code 10.0.0.1:9000}, {@code [::1]:9000}. */
    public String authority() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    @Override
    public String toString() {
        return "http://" + authority();
    }
}
