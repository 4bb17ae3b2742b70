package dev.lychgate.tls;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import java.util.List;

/**
 * How it is agreed on what is spoken inside TLS.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7301">RFC 7301 ALPN</a>
 */
final class Alpn {
    private Alpn() {}

    /** Whoever offers none of them is taken to speak HTTP/1.1: that is all BoringSSL's engine leaves us to say. */
    static ApplicationProtocolConfig of(List<String> protocols) {
        return new ApplicationProtocolConfig(
                Protocol.ALPN, SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT, protocols);
    }
}
