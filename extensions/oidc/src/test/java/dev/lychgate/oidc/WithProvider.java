package dev.lychgate.oidc;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** A provider, a gateway that is its client, and a browser. */
abstract class WithProvider {
    static final String APP = "https://app.example.com";

    final TestClock clock = new TestClock();
    final OidcExtension extension = new OidcExtension(clock);
    final TestProvider provider;
    final TestGateway gateway;
    final TestBrowser browser;

    WithProvider(Map<String, Object> settings) {
        try {
            provider = TestProvider.start(clock);
            gateway = TestGateway.start(extension, client(settings));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        browser = gateway.browser();
    }

    @AfterEach
    final void end() {
        gateway.close();
        provider.close();
    }

    /** Returns the settings of the client. @param changed the settings that differ from the usual ones */
    final ProviderSettings client(Map<String, Object> changed) {
        return TestGateway.client(provider.issuer(), changed);
    }

    static Map<String, String> query(String url) {
        return TestProvider.parameters(URI.create(url).getRawQuery());
    }
}
