package dev.lychgate.config;

import java.util.List;

/** The proxies that begin their connections to a listener with a header of the PROXY protocol. */
public record ProxyProtocolConfig(List<Cidr> from) {
    private static final Key<List<Cidr>> FROM = Key.typed(
                    "from", Form.list(Form.ADDRESS_BLOCK), List.of(Cidr.parse("127.0.0.1")))
            .atLeast(1)
            .required("the address blocks of the proxies")
            .about("the trusted proxies, which must send a header of the PROXY protocol within "
                    + "`timeouts.request-head`; `trusted-proxies` then applies to the address in this header");

    static final Keys<ProxyProtocolConfig> KEYS = Keys.of(ProxyProtocolConfig::new, FROM);

    public ProxyProtocolConfig {
        FROM.check(from);
        from = Expect.copy(from);
    }
}
