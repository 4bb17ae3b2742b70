package dev.lychgate.config;

import java.util.List;

/**
 * Whose connections to a listener begin with a header of the PROXY protocol.
 *
 * @param from peers that must send one, and are believed; at least one block. Those of all others are no HTTP, and refused
 *     as such
 */
public record ProxyProtocolConfig(List<Cidr> from) {
    public ProxyProtocolConfig {
        from = Expect.copy(from);
        Expect.that(!from.isEmpty(), "from", "[]", "at least one address block");
    }
}
