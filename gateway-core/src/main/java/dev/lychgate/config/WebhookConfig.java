package dev.lychgate.config;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A webhook that receives the entries of the history.
 *
 * @param token the token that is sent as {@code Authorization: Bearer}; null = none
 * @param secret the key with which entries are signed (HMAC-SHA256); null = entries are not signed
 * @param timeout the timeout of one attempt
 * @param patience the time for which the gateway retries an entry before it drops the entry
 */
public record WebhookConfig(
        URI url, @Nullable String token, @Nullable String secret, Duration timeout, Duration patience) {
    private static final Key<URI> URL = Key.typed("url", MetricsPush.FORM, URI.create("http://unnamed/"))
            .required("the URL of the receiver, such as https://hooks.example.com/lychgate")
            .about("the URL to which each entry is posted as JSON; without user information");
    private static final Key<String> TOKEN = Key.typed("token", Form.SECRET, null)
            .matching(Form.SECRET_RULE)
            .about(
                    "the token that every request carries as `Authorization: Bearer`; preferably a [secret](secrets.md) such as "
                            + "`${file:PATH}`");
    private static final Key<String> SECRET = Key.typed("secret", Form.SECRET, null)
            .matching(Form.SECRET_RULE)
            .about("the key of the HMAC-SHA256 of the body that each request contains in `x-lychgate-signature`; "
                    + "preferably a [secret](secrets.md) such as `${file:PATH}`");
    private static final Key<Duration> TIMEOUT =
            Key.duration("timeout", "10s").positive().about("the timeout of one attempt");
    private static final Key<Duration> PATIENCE = Key.duration("patience", "2m")
            .positive()
            .about("the time for which an entry is sent again before it is dropped and counted");

    static final Keys<WebhookConfig> KEYS = Keys.of(WebhookConfig::new, URL, TOKEN, SECRET, TIMEOUT, PATIENCE);

    public WebhookConfig {
        KEYS.check(url, token, secret, timeout, patience);
    }

    /** Creates a webhook with the default timeout and patience. */
    public static WebhookConfig to(URI url, @Nullable String token, @Nullable String secret) {
        return new WebhookConfig(url, token, secret, TIMEOUT.otherwise(), PATIENCE.otherwise());
    }

    /** Omits potential secrets: the token, the key, and the path and query of the URL. */
    @Override
    public String toString() {
        return "WebhookConfig[" + url.getScheme() + "://" + url.getRawAuthority() + ", token="
                + (token == null ? "none" : "***") + ", secret=" + (secret == null ? "none" : "***") + ", timeout="
                + Durations.print(timeout) + ", patience=" + Durations.print(patience) + "]";
    }
}
