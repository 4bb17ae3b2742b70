package dev.lychgate.server.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.EndpointReadiness;
import dev.lychgate.upstream.FoundEndpoint;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The endpoints in files of Envoy and Prometheus. */
class EndpointFileTest {
    private static final String ASSIGNMENTS = """
            {
              "version_info": "1",
              "resources": [
                {
                  "@type": "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment",
                  "cluster_name": "api",
                  "endpoints": [
                    {
                      "locality": { "region": "eu", "zone": "eu-1" },
                      "lb_endpoints": [
                        {
                          "endpoint": { "address": { "socket_address": { "address": "10.0.0.1", "port_value": 80 } } },
                          "load_balancing_weight": 3,
                          "metadata": { "filter_metadata": { "envoy.lb": { "version": "v2", "canary": true, "stage": 1 } } }
                        },
                        {
                          "endpoint": { "address": { "socket_address": { "address": "2001:DB8::1", "port_value": 80 } } },
                          "health_status": "DRAINING"
                        },
                        {
                          "endpoint": { "address": { "socket_address": { "address": "10.0.0.3", "port_value": 80 } } },
                          "health_status": "UNHEALTHY"
                        }
                      ]
                    },
                    {
                      "priority": 1,
                      "lb_endpoints": [
                        { "endpoint": { "address": { "socket_address": { "address": "10.0.0.4", "port_value": 81 } } } }
                      ]
                    }
                  ]
                },
                { "cluster_name": "web", "endpoints": [] }
              ]
            }
            """;

    @Test
    void readsLoadAssignmentsOfEnvoy() throws Exception {
        assertThat(EndpointFile.read(ASSIGNMENTS, "api"))
                .containsExactly(
                        FoundEndpoint.of(
                                "10.0.0.1",
                                80,
                                3,
                                "eu-1",
                                0,
                                EndpointReadiness.READY,
                                Map.of("version", "v2", "canary", "true", "stage", "1")),
                        FoundEndpoint.of("2001:db8::1", 80, 1, "eu-1", 0, EndpointReadiness.DRAINING, Map.of()),
                        FoundEndpoint.of("10.0.0.4", 81, 1, "", 1, EndpointReadiness.READY, Map.of()));
        assertThat(EndpointFile.read(ASSIGNMENTS, "web")).isEmpty();
    }

    @Test
    void readsASingleAssignmentWithNamesInCamelCase() throws Exception {
        assertThat(EndpointFile.read("""
                        { "clusterName": "outbound|80||api", "endpoints": [{ "lbEndpoints": [
                          { "endpoint": { "address": { "socketAddress": { "address": "10.0.0.1", "portValue": 80 } } } }
                        ] }] }
                        """, "api")).containsExactly(FoundEndpoint.of("10.0.0.1", 80));
    }

    @Test
    void readsTargetGroupsOfPrometheus() throws Exception {
        Map<String, String> labels = Map.of("zone", "eu-1", "weight", "5", "state", "draining", "version", "v2");
        assertThat(EndpointFile.read("""
                        [
                          { "targets": ["10.0.0.1:80", "[2001:db8::1]:80"] },
                          {
                            "targets": ["api-3.test:80"],
                            "labels": { "zone": "eu-1", "weight": "5", "state": "draining", "version": "v2", "__meta_id": "7" }
                          }
                        ]
                        """, "api"))
                .containsExactly(
                        FoundEndpoint.of("10.0.0.1", 80),
                        FoundEndpoint.of("2001:db8::1", 80),
                        FoundEndpoint.of("api-3.test", 80, 5, "eu-1", 0, EndpointReadiness.DRAINING, labels));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "[{\"targets\": [\"10.0.0.1:80\"]}|line 1 is not JSON",
                "{}|the load assignment has no cluster_name",
                "7|the file is neither a list of target groups nor a load assignment",
                "[{\"labels\": {}}]|a group has no list of targets",
                "[{\"targets\": [\"10.0.0.1\"]}]|target \"10.0.0.1\" (expected: HOST:PORT)",
                "[{\"targets\": [\"10.0.0.1:0\"]}]|target \"10.0.0.1:0\" (expected: a port from 1 to 65535)",
                "[{\"targets\": [\"http://a.test:80\"]}]|target \"http://a.test:80\" (expected: HOST:PORT)",
                "[{\"targets\": [\"a b:80\"]}]|target \"a b:80\" (expected: an IP address or a host name)",
                "[{\"targets\": [\"a.test:80\"], \"labels\": {\"weight\": \"x\"}}]|target \"a.test:80\" (expected: a whole number in the label weight)",
                "[{\"targets\": [\"a.test:80\"], \"labels\": {\"state\": \"x\"}}]|target \"a.test:80\" (expected: ready or draining in the label state)",
                "{\"resources\": []}|0 of 0 load assignments have the cluster_name api (expected: exactly one)",
                "{\"cluster_name\": \"api\", \"endpoints\": [{\"lb_endpoints\": [{\"endpoint\": {\"address\": {\"pipe\": {}}}}]}]}|endpoint \"\", port 0 (expected: a port from 1 to 65535)",
            })
    void refusesAFileAsAWhole(String text, String reason) {
        assertThatThrownBy(() -> EndpointFile.read(text, "api")).hasMessage(reason);
    }

    @Test
    void limitsWeightsAndMetadata() throws Exception {
        List<FoundEndpoint> endpoints = EndpointFile.read(
                "[{\"targets\": [\"a.test:80\"], \"labels\": {\"weight\": \"90000\", \"long\": \"" + "x".repeat(300)
                        + "\"}}]",
                "api");
        assertThat(endpoints)
                .containsExactly(FoundEndpoint.of(
                        "a.test", 80, 1000, "", 0, EndpointReadiness.READY, Map.of("weight", "90000")));
    }
}
