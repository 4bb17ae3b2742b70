package dev.lychgate.server.discovery;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.config.EtcdConfig;
import dev.lychgate.config.SourceConfig;
import dev.lychgate.server.etcd.EtcdClient;
import dev.lychgate.server.etcd.EtcdRange;
import dev.lychgate.server.fleet.EtcdCluster;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.upstream.SourceQuestion;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Endpoints in a real etcd. */
@Tag("slow")
class EtcdSourceTest {
    private final Reported reported = new Reported();

    @SuppressWarnings("NullAway.Init") // start() creates them
    private EtcdCluster etcd;

    @SuppressWarnings("NullAway.Init")
    private EtcdSource source;

    @SuppressWarnings("NullAway.Init")
    private EtcdClient client;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), EtcdCluster.MISSING);
        etcd = EtcdCluster.start(1);
        EtcdConfig config = EtcdConfig.of(etcd.endpoints());
        client = new EtcdClient(config, "test-etcd");
        source = new EtcdSource("etcd", config);
        source.watch(new SourceQuestion("etcd", SourceConfig.of(config), "api", ""), reported);
    }

    @AfterEach
    void close() throws Exception {
        if (source != null) {
            source.close();
            client.close();
            etcd.close();
        }
    }

    private void call(String path, JsonObject body) throws Exception {
        client.call(path, body).get(10, TimeUnit.SECONDS);
    }

    private void put(String key, String value) throws Exception {
        call(
                "/v3/kv/put",
                new JsonObject().with("key", EtcdRange.encoded(key)).with("value", EtcdRange.encoded(value)));
    }

    @Test
    void followsTheKeysOfAService() throws Exception {
        reported.await();
        put("/lychgate/endpoints/api/1", "{ \"host\": \"10.0.0.1\", \"port\": 80 }");
        put("/lychgate/endpoints/api/2", "{ \"host\": \"10.0.0.2\", \"port\": 80, \"state\": \"draining\" }");
        put("/lychgate/endpoints/api/3", "{ \"host\": \"10.0.0.3\" }");
        put("/lychgate/endpoints/api/4", "not JSON");
        put("/lychgate/endpoints/api-2/1", "{ \"host\": \"10.0.0.5\", \"port\": 80 }");
        reported.await("10.0.0.1:80", "10.0.0.2:80 draining");

        call("/v3/kv/deleterange", new JsonObject().with("key", EtcdRange.encoded("/lychgate/endpoints/api/2")));

        reported.await("10.0.0.1:80");
    }

    @Test
    void followsTheKeysAfterARestartOfTheServer() throws Exception {
        put("/lychgate/endpoints/api/1", "{ \"host\": \"10.0.0.1\", \"port\": 80 }");
        reported.await("10.0.0.1:80");
        etcd.signal(0, "KILL");
        reported.awaitFailure("");
        etcd.restart(0);
        put("/lychgate/endpoints/api/2", "{ \"host\": \"10.0.0.2\", \"port\": 80 }");

        reported.await("10.0.0.1:80", "10.0.0.2:80");
    }
}
