package dev.lychgate.server.discovery;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.EtcdConfig;
import dev.lychgate.discovery.EndpointSource;
import dev.lychgate.server.etcd.EtcdClient;
import dev.lychgate.server.etcd.EtcdException;
import dev.lychgate.server.etcd.EtcdRange;
import dev.lychgate.server.etcd.EtcdWatch;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.upstream.FoundEndpoint;
import dev.lychgate.upstream.SourceQuestion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Endpoints in etcd: each key that begins with {@code PREFIX/endpoints/SERVICE/} contains the JSON of one endpoint. If
 * the owner of a key stops renewing the key's lease, etcd deletes the key.
 */
final class EtcdSource implements EndpointSource {
    private final EtcdConfig config;
    private final EtcdClient client;

    /**
     * Creates the source, and reads the certificates of its TLS settings. May block.
     *
     * @throws ConfigException if a file is unusable
     */
    EtcdSource(String name, EtcdConfig config) {
        this.config = config;
        this.client = new EtcdClient(config, "lychgate-discovery-" + name);
    }

    @Override
    public Watch watch(SourceQuestion question, Listener listener) {
        EtcdRange range = EtcdRange.of(config.prefix() + "/endpoints/" + question.service() + "/");
        return EtcdWatch.start(client, range, new RangeReader(range, listener))::close;
    }

    @Override
    public void close() {
        client.close();
    }

    /** Reads and reports the endpoints of one service. */
    private final class RangeReader implements EtcdWatch.Reader {
        private final EtcdRange range;
        private final Listener listener;

        RangeReader(EtcdRange range, Listener listener) {
            this.range = range;
            this.listener = listener;
        }

        @Override
        public CompletableFuture<Long> read() {
            return client.call("/v3/kv/range", range.json()).thenApply(response -> {
                listener.found(endpoints(response.json()));
                String revision = response.json().get("header").get("revision").scalar();
                return revision.isEmpty() ? 0 : Long.parseLong(revision);
            });
        }

        @Override
        public void failed(Throwable reason) {
            Throwable cause =
                    reason instanceof CompletionException && reason.getCause() != null ? reason.getCause() : reason;
            listener.failed(cause instanceof EtcdException known ? known.reason() : "internal error");
        }
    }

    /** Returns the endpoints. Malformed values are omitted, because different services write the values. */
    private static List<FoundEndpoint> endpoints(JsonValue response) {
        List<FoundEndpoint> endpoints = new ArrayList<>();
        for (JsonValue entry : response.list("kvs")) {
            try {
                String text = new String(EtcdRange.decoded(entry, "value"), StandardCharsets.UTF_8);
                endpoints.add(EndpointJson.read(JsonValue.of(text)));
            } catch (EtcdException | IOException | IllegalArgumentException e) {
                // The other endpoints are still valid.
            }
        }
        return endpoints;
    }
}
