package dev.lychgate.server.admin;

import dev.lychgate.http.Authority;
import io.netty.util.NetUtil;

/**
 * The defence against DNS rebinding: a page in somebody's browser can let its own name resolve to 127.0.0.1 and then read
 * what listens there, but it can't keep its name out of the Host field. So on the loopback only an address, or localhost,
 * is answered.
 */
final class HostCheck {
    private HostCheck() {}

    /** Whether a Host field names the machine by address. @param host {@code name[:port]} */
    static boolean isAddress(String host) {
        if (!Authority.isValid(host)) {
            return false;
        }
        String name = host.replaceFirst(":[0-9]*$", "");
        return name.equalsIgnoreCase("localhost")
                || NetUtil.isValidIpV4Address(name)
                || (host.startsWith("[") && NetUtil.isValidIpV6Address(name));
    }
}
