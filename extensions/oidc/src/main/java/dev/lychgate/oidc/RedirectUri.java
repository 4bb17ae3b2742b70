package dev.lychgate.oidc;

import dev.lychgate.config.ConfigException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;

/**
 * An address to which the provider sends the browser after a login.
 *
 * @param text as it is registered at the provider
 * @param origin scheme, host and port, as browsers write them
 * @param host host and port, without the default port of the scheme
 */
record RedirectUri(String text, String origin, String host, String path) {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    /**
     * Parses an address.
     *
     * @throws ConfigException if it is neither an absolute https URL nor an http URL with a loopback host
     */
    static RedirectUri of(String text) {
        try {
            URI uri = new URI(text);
            String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            String name = uri.getHost() == null ? "" : uri.getHost().toLowerCase(Locale.ROOT);
            boolean https = scheme.equals("https");
            boolean local = scheme.equals("http") && LOOPBACK.contains(name);
            String path = uri.getRawPath() == null ? "" : uri.getRawPath();
            if ((https || local)
                    && !name.isEmpty()
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null
                    && path.matches(ProviderSettings.PATH)) {
                boolean usual = uri.getPort() < 0 || uri.getPort() == (https ? 443 : 80);
                String host = usual ? name : name + ":" + uri.getPort();
                return new RedirectUri(text, scheme + "://" + host, host, path);
            }
        } catch (URISyntaxException e) {
            // Refused below.
        }
        throw new ConfigException(
                "redirect-uri", text, "an https URL with a path, such as https://app.example.com/oidc/callback");
    }

    boolean isSecure() {
        return origin.startsWith("https:");
    }

    /**
     * Returns whether a request is for this host.
     *
     * @param requested the host of the request, with an optional port
     */
    boolean isOf(String requested) {
        String folded = requested.toLowerCase(Locale.ROOT);
        String port = isSecure() ? ":443" : ":80";
        return host.equals(folded.endsWith(port) ? folded.substring(0, folded.length() - port.length()) : folded);
    }
}
