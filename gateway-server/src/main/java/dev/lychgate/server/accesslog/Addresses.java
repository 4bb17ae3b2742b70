package dev.lychgate.server.accesslog;

import dev.lychgate.config.IpLiteral;
import java.net.Inet4Address;
import java.net.InetAddress;

/** Writes the addresses of clients. */
final class Addresses {
    private Addresses() {}

    /** IPv4 with dots, IPv6 as RFC 5952 has it. */
    static void append(LineBuffer line, InetAddress address) {
        if (address instanceof Inet4Address) {
            byte[] four = address.getAddress();
            line.append(four[0] & 0xff);
            for (int i = 1; i < four.length; i++) {
                line.append('.').append(four[i] & 0xff);
            }
        } else {
            line.append(IpLiteral.text(address));
        }
    }
}
