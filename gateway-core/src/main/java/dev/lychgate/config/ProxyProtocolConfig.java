package dev.lychgate.config;

import static dev.lychgate.config.Key.typed;

import java.util.List;

/**
 * Whose connections to a listener begin with a header of the PROXY protocol.
 */
public record ProxyProtocolConfig(List<Cidr> from) {
    private static final Key<List<Cidr>> FROM = typed(
                    "from", Form.list(Form.ADDRESS_BLOCK), List.of(Cidr.parse("127.0.0.1")))
            .atLeast(1)
            .required("the address blocks of the proxies")
            .about("proxies that must send one within `timeouts.request-head`, and are believed; "
                    + "`trusted-proxies` is then about the address they tell");

    public ProxyProtocolConfig {
        FROM.check(from);
        from = Expect.copy(from);
    }

    /** Reads a section. */
    static ProxyProtocolConfig read(Key.Values values) {
        return new ProxyProtocolConfig(values.get(FROM));
    }
}
