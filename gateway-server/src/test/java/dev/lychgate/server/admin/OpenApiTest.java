package dev.lychgate.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lychgate.server.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;

/** The OpenAPI document and the table of routes. {@code AdminApiTest} validates the responses of a gateway. */
class OpenApiTest {
    private static JsonNode file() throws Exception {
        return new ObjectMapper()
                .readTree(AdminResponse.json(Json.TREE, OpenApi.document(routes()))
                        .body());
    }

    private static List<AdminRoute> routes() {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        try (AdminPages pages = new AdminPages(new FakeSource(), thread)) {
            return pages.routes();
        } finally {
            thread.shutdownNow();
        }
    }

    private static String parameters(JsonNode operation) {
        List<String> all = new ArrayList<>();
        for (JsonNode parameter : operation.path("parameters")) {
            if (parameter.path("in").asText().equals("query")) {
                String count = parameter.path("schema").path("type").asText().equals("array")
                        ? "any"
                        : parameter.path("required").asBoolean() ? "once" : "at_most_once";
                all.add(parameter.path("name").asText() + " " + count);
            }
        }
        return String.join(", ", all);
    }

    @Test
    void hasEveryRouteWithItsParametersAndNoOthers() throws Exception {
        Map<String, String> inTable = new TreeMap<>();
        for (AdminRoute route : routes()) {
            List<String> parameters = route.parameters().stream()
                    .map(one -> one.name() + " " + one.count().name().toLowerCase(Locale.ROOT))
                    .toList();
            String before = inTable.put(
                    route.method().name().toLowerCase(Locale.ROOT) + " " + route.path(),
                    String.join(", ", parameters) + (route.door() == AdminRoute.Door.OPEN ? " open" : ""));
            assertThat(before).as(route.path()).isNull();
        }
        Map<String, String> inFile = new TreeMap<>();
        for (Map.Entry<String, JsonNode> path : file().path("paths").properties()) {
            for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
                inFile.put(
                        operation.getKey() + " " + path.getKey(),
                        parameters(operation.getValue()) + (operation.getValue().has("security") ? " open" : ""));
            }
        }

        assertThat(inFile).isEqualTo(inTable);
    }

    @Test
    void refersOnlyToExistingParts() throws Exception {
        JsonNode file = file();
        List<String> references = new ArrayList<>();
        file.findValues("$ref").forEach(reference -> references.add(reference.asText()));

        assertThat(references).isNotEmpty();
        for (String reference : references) {
            assertThat(file.at(reference.substring(1)).isMissingNode())
                    .as(reference)
                    .isFalse();
        }
        assertThat(file.path("openapi").asText()).startsWith("3.1");
        List<String> operations = new ArrayList<>();
        file.findValues("operationId").forEach(id -> operations.add(id.asText()));
        assertThat(operations).doesNotHaveDuplicates();
    }

    @Test
    void describesEveryFieldAndEveryParameter() throws Exception {
        for (Map.Entry<String, JsonNode> schema :
                file().at("/components/schemas").properties()) {
            assertThat(schema.getValue().path("additionalProperties").asBoolean(true))
                    .isFalse();
            for (Map.Entry<String, JsonNode> field :
                    schema.getValue().path("properties").properties()) {
                assertThat(field.getValue().path("description").asText())
                        .as(schema.getKey() + "." + field.getKey())
                        .endsWith(".");
            }
        }
        assertThat(file().at("/components/schemas")).hasSizeGreaterThan(40);
        file().findValues("parameters")
                .forEach(all -> all.forEach(
                        parameter -> assertThat(parameter.path("description").asText())
                                .as(parameter.path("name").asText())
                                .isNotEmpty()));
    }

    @Test
    void listsTheValuesOfAParameter() throws Exception {
        JsonNode weight =
                file().at("/paths/~1upstreams~1endpoint/post/parameters").get(4);
        assertThat(weight.path("name").asText()).isEqualTo("weight");
        assertThat(weight.path("schema").toString()).isEqualTo("{\"type\":\"integer\",\"minimum\":0,\"maximum\":1000}");
        JsonNode state = file().at("/paths/~1breakers/post/parameters").get(3);
        assertThat(state.at("/schema/enum").toString()).isEqualTo("[\"auto\",\"force-open\",\"force-closed\"]");
    }

    @Test
    void listsTheRejectionsOfEachOperation() throws Exception {
        JsonNode paths = file().path("paths");
        assertThat(paths.at("/~1health/get/responses").fieldNames())
                .toIterable()
                .containsExactly("200", "500");
        assertThat(paths.at("/~1config/get/responses").fieldNames())
                .toIterable()
                .containsExactly("200", "401", "429", "500", "503");
        assertThat(paths.at("/~1drain/post/responses").fieldNames())
                .toIterable()
                .containsExactly("200", "400", "401", "403", "409", "429", "500");
        assertThat(paths.at("/~1rollback/post/responses").fieldNames())
                .toIterable()
                .containsExactly("200", "400", "401", "403", "404", "422", "429", "500", "503");
    }

    @Test
    void everyActionListsItsRejections() throws Exception {
        file().path("paths").forEach(path -> {
            JsonNode action = path.path("post");
            if (!action.isMissingNode()) {
                assertThat(action.path("responses").fieldNames()).toIterable().contains("200", "401", "403", "429");
            }
        });
    }
}
