package dev.lychgate.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A source that reads endpoints from the EndpointSlices of a Kubernetes namespace.
 *
 * @param server the connection to the API server; null = the API server of the cluster in which the gateway runs
 * @param namespace the namespace; empty = the namespace of the gateway's pod; not empty if {@code server} is set
 * @param tokenFile the file with the token, which is read again for each request; null = the token file of the
 *     gateway's pod, or no token if {@code server} is set
 */
public record KubernetesConfig(
        @Nullable RegistryConfig server,
        String namespace,
        @Nullable String tokenFile) {
    private static final Key<List<URI>> URL = RegistryConfig.URL.optional("the API server of the cluster of the pod");
    private static final Key<String> NAMESPACE = Key.typed("namespace", Form.NAMED_OR_NONE, "")
            .absent("the namespace of the pod")
            .about("the namespace of the services; required with `url`");
    private static final Key<String> TOKEN_FILE = Key.file("token-file")
            .absent("the token file of the pod, or no token if the key url is set")
            .about("the file with the token of a service account, which is read again for each request, because "
                    + "Kubernetes replaces the token; the account needs the rights `list` and `watch` for "
                    + "`endpointslices`");

    public KubernetesConfig {
        NAMESPACE.check(namespace);
        Expect.that(server == null || !namespace.isEmpty(), "namespace", "missing", "the name of a namespace");
        if (server != null) {
            server.protect("token-file", tokenFile != null);
        }
    }

    static KubernetesConfig read(Key.Values values) {
        List<URI> url = values.get(URL);
        String ca = values.get(RegistryConfig.CA);
        CertificateConfig certificate = values.get(RegistryConfig.CERTIFICATE);
        Duration timeout = values.get(RegistryConfig.TIMEOUT);
        String namespace = values.get(NAMESPACE);
        String tokenFile = values.get(TOKEN_FILE);
        values.needs(RegistryConfig.CA.name(), URL.name());
        values.needs(RegistryConfig.CERTIFICATE.name(), URL.name());
        values.needs(RegistryConfig.TIMEOUT.name(), URL.name());
        return new KubernetesConfig(
                url == null ? null : new RegistryConfig(url, ca, certificate, timeout), namespace, tokenFile);
    }
}
