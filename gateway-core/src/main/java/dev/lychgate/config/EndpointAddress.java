package dev.lychgate.config;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The host and port of an endpoint, and whether it uses TLS. Written as a URL without path and query, such as {@code
 * http://10.0.0.1:9000}.
 *
 * <p>This address identifies an endpoint across generations: it is the key of the endpoint's connections and state.
 *
 * @param host an IP address (IPv6 without brackets) or a host name
 * @param port 1 to 65535; default 80, or 443 with TLS
 * @param secure whether the endpoint uses TLS ({@code https})
 */
public record EndpointAddress(String host, int port, boolean secure) {
    private static final Pattern UNDERSCORED =
            Pattern.compile("([A-Za-z0-9_][A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]+)*)(?::(\\d{1,5}))?");

    /**
     * The maximum length of a host name with a port, in characters. Longer text is not matched against {@link
     * #UNDERSCORED}, because the matching recurses for each label.
     */
    private static final int LONGEST_AUTHORITY = 253 + 6;

    public EndpointAddress {
        Expect.that(!host.isEmpty(), "url", host, "a host");
        Expect.between(1, 65535, "url", port);
    }

    /** Creates an address without TLS. */
    public EndpointAddress(String host, int port) {
        this(host, port, false);
    }

    /**
     * Reads the URL of an endpoint, such as {@code http://10.0.0.1:9000}.
     *
     * @throws IllegalArgumentException if the text is malformed; the message states the expected form
     */
    public static EndpointAddress parse(String url) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("a URL such as http://10.0.0.1:9000", e);
        }
        String host = uri.getHost();
        int said = uri.getPort();
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        Matcher underscored = UNDERSCORED.matcher(authority);
        if (host == null && authority.length() <= LONGEST_AUTHORITY && underscored.matches()) {
            // The class URI rejects underscores in host names, but container networks use them.
            host = underscored.group(1);
            said = underscored.group(2) == null ? -1 : Integer.parseInt(underscored.group(2));
        }
        boolean secure = "https".equals(uri.getScheme());
        if (!secure && !"http".equals(uri.getScheme())) {
            throw new IllegalArgumentException("a URL that begins with http:// or https://");
        }
        // A URL without slashes after its scheme is opaque and has no path.
        if (host == null
                || uri.isOpaque()
                || uri.getUserInfo() != null
                || uri.getQuery() != null
                || uri.getFragment() != null
                || !(uri.getPath().isEmpty() || uri.getPath().equals("/"))) {
            throw new IllegalArgumentException(
                    "a URL with only a scheme, a host and a port, such as http://10.0.0.1:9000");
        }
        int port = said < 0 ? (secure ? 443 : 80) : said;
        if (port == 0 || port > 65535) {
            throw new IllegalArgumentException("a port from 1 to 65535");
        }
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        return new EndpointAddress(plain(bare), port, secure);
    }

    /**
     * Returns scheme, host and port of {@code url}, in the form of {@link #toString}. The URL may have a path or a
     * query.
     *
     * @throws IllegalArgumentException if the text is malformed; the message states the expected form
     */
    public static String originOf(String url) {
        // Parsing refuses URLs with user information, which may contain a password.
        return parse(url.substring(0, endOfOrigin(url))).toString();
    }

    /**
     * Returns the index after scheme, host and port of a URL. Throws IllegalArgumentException if the URL has no scheme.
     */
    public static int endOfOrigin(String url) {
        int end = url.indexOf("://") + 3;
        if (end == 2) {
            throw new IllegalArgumentException("a URL that begins with http:// or https://");
        }
        while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    /**
     * Creates an address from a host and a port. Normalizes the host.
     *
     * @param host an IP address (IPv6 without brackets) or a host name
     * @throws IllegalArgumentException if the host or the port is malformed; the message states the expected form
     */
    public static EndpointAddress of(String host, int port, boolean secure) {
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("a port from 1 to 65535");
        }
        String normal = plain(host);
        if (IpLiteral.address(normal) == null && !UNDERSCORED.matcher(normal).matches()) {
            throw new IllegalArgumentException("an IP address or a host name");
        }
        return new EndpointAddress(normal, port, secure);
    }

    /** Returns the normalized form of {@code host}. Refuses a malformed host. */
    private static String plain(String host) {
        InetAddress address = IpLiteral.address(host);
        if (address != null) {
            return IpLiteral.text(address);
        }
        if (host.indexOf(':') >= 0 || NetUtil.createByteArrayFromIpAddressString(host) != null) {
            throw new IllegalArgumentException("an IP address whose decimal octets have no leading zeros");
        }
        if (host.length() > 253 || Stream.of(host.split("\\.", -1)).anyMatch(label -> label.length() > 63)) {
            throw new IllegalArgumentException(
                    "a host name of at most 253 characters, with at most 63 characters between two dots");
        }
        return host.toLowerCase(Locale.ROOT);
    }

    /** Returns this address with its host name replaced by {@code ip}, one of the IP addresses of the host. */
    public EndpointAddress at(String ip) {
        return new EndpointAddress(ip, port, secure);
    }

    /** Returns this address with another port. */
    public EndpointAddress withPort(int other) {
        return new EndpointAddress(host, other, secure);
    }

    /** Returns whether the host is a name, not an IP address. */
    public boolean isName() {
        return IpLiteral.address(host) == null;
    }

    /** Returns host and port in the form of a Host field, such as {@code 10.0.0.1:9000} or {@code [::1]:9000}. */
    public String authority() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    // These methods are explicit, because the startup uses addresses as keys of maps, and linking the generated methods
    // of a record would delay the startup.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EndpointAddress that
                && port == that.port
                && secure == that.secure
                && host.equals(that.host);
    }

    @Override
    public int hashCode() {
        return (31 * host.hashCode() + port) * 31 + Boolean.hashCode(secure);
    }

    @Override
    public String toString() {
        return (secure ? "https://" : "http://") + authority();
    }
}
