package dev.lychgate.config;

/**
 * The address of a listener: an IP address and a port. IPv6 addresses are in brackets: {@code [::1]:8080}.
 *
 * @param host an IP address literal, or {@code localhost}
 * @param port the port, 0 to 65535; 0 = the operating system chooses a free port
 */
public record BindAddress(String host, int port) {
    /**
     * Placeholder that replaces a refused address while the rest of the file is read: a free port on the loopback
     * interface.
     */
    static final BindAddress LOOPBACK = new BindAddress("127.0.0.1", 0);

    public BindAddress {
        Expect.that(!host.isEmpty(), "address", host + ":" + port, "host:port");
        Expect.between(0, 65535, "address", port);
    }

    /**
     * Reads {@code host:port}.
     *
     * @throws IllegalArgumentException if the text is malformed; the message states the expected form
     */
    public static BindAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0) {
            throw new IllegalArgumentException("host:port, such as 0.0.0.0:8080 or [::1]:8080");
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw new IllegalArgumentException("an IPv6 address in brackets, such as [::1]:8080");
        }
        String digits = text.substring(colon + 1);
        if (!digits.matches("\\d{1,5}") || Integer.parseInt(digits) > 65535) {
            throw new IllegalArgumentException("a port from 0 to 65535");
        }
        if (!host.equals("localhost") && IpLiteral.address(host) == null) {
            throw new IllegalArgumentException("an IP address, such as 127.0.0.1, [::1] or 0.0.0.0, or localhost");
        }
        return new BindAddress(host, Integer.parseInt(digits));
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
