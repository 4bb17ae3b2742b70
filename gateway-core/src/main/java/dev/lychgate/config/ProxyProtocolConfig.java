package dev.lychgate.config;

import java.util.List;

/**
 * Whose connections to a listener begin with a header of the PROXY protocol.
 */
public record ProxyProtocolConfig(List<Cidr> from) {
    private static final Key<List<Cidr>> FROM = Key.typed(
                    "from", Form.list(Form.ADDRESS_BLOCK), List.of(Cidr.parse("127.0.0.1")))
            .atLeast(1)
            .required("the address blocks of the proxies")
            .about("proxies that must send one within `timeouts.request-head`, and are believed; "
                    + "`trusted-proxies` is then about the address they tell");

    static final Keys<ProxyProtocolConfig> KEYS = Keys.of(ProxyProtocolConfig::new, FROM);

    public ProxyProtocolConfig {
        FROM.check(from);
        from = Expect.copy(from);
    }
}
