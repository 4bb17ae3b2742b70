package dev.lychgate.server.discovery;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.KubernetesConfig;
import dev.lychgate.config.RegistryConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings for requests to the Kubernetes API.
 *
 * @param server the API server
 * @param namespace the namespace of the services
 * @param tokenFile the file that contains the bearer token; null if requests need no token
 */
record KubernetesAccess(
        RegistryConfig server, String namespace, @Nullable Path tokenFile) {
    private static final Path POD = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    /**
     * Completes the settings with the environment and the files of the pod. Blocks.
     *
     * @throws ConfigException if the settings are incomplete and the gateway does not run in a pod
     */
    static KubernetesAccess of(KubernetesConfig config) {
        return of(config, POD, System::getenv);
    }

    static KubernetesAccess of(KubernetesConfig config, Path pod, Function<String, @Nullable String> environment) {
        String given = config.tokenFile();
        @Nullable Path token = given == null ? null : Path.of(given);
        RegistryConfig server = config.server();
        if (server != null) {
            return new KubernetesAccess(server, config.namespace(), token);
        }
        String host = environment.apply("KUBERNETES_SERVICE_HOST");
        String port = environment.apply("KUBERNETES_SERVICE_PORT");
        if (host == null || port == null) {
            throw new ConfigException("url", "missing", "the URL of the API server, unless the gateway runs in a pod");
        }
        URI url = URI.create("https://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port);
        RegistryConfig own = new RegistryConfig(
                List.of(url),
                pod.resolve("ca.crt").toString(),
                null,
                RegistryConfig.of(url).timeout());
        return new KubernetesAccess(
                own,
                config.namespace().isEmpty() ? namespace(pod.resolve("namespace")) : config.namespace(),
                token == null ? pod.resolve("token") : token);
    }

    private static String namespace(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new ConfigException("namespace", "missing", "the name of a namespace, or the file " + file, e);
        }
    }

    /**
     * Returns the headers of a request. Reads the token, because Kubernetes replaces it before it expires.
     *
     * @throws IOException if the token cannot be read
     */
    Map<String, String> headers() throws IOException {
        Path file = tokenFile;
        return file == null
                ? Map.of()
                : Map.of("authorization", "Bearer " + Files.readString(file).strip());
    }
}
