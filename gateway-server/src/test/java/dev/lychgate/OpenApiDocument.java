package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.lychgate.testing.RawMessage;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/** The {@code /openapi.json} of a gateway, for the validation of responses. */
record OpenApiDocument(JsonNode root) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Returns the paths that have an operation of that method with a JSON response. */
    List<String> paths(String method) {
        List<String> paths = new ArrayList<>();
        for (Iterator<String> all = root.path("paths").fieldNames(); all.hasNext(); ) {
            String path = all.next();
            if (response(method, path, 200).path("content").has("application/json")) {
                paths.add(path);
            }
        }
        return paths;
    }

    private JsonNode operation(String method, String path) {
        return root.path("paths").path(path).path(method.toLowerCase(Locale.ROOT));
    }

    private JsonNode response(String method, String path, int status) {
        return operation(method, path).path("responses").path(String.valueOf(status));
    }

    /** Asserts that the operation has this status and that the body has its schema, if there is such an operation. */
    void hold(String method, String target, RawMessage answer) throws Exception {
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        if (operation(method, path).isMissingNode()) {
            return;
        }
        JsonNode content = response(method, path, answer.status()).path("content");
        String type = answer.value("content-type").orElse("").replaceFirst(";.*", "");
        assertThat(content.has(type))
                .as("%s %s: %d as %s", method, path, answer.status(), type)
                .isTrue();
        if (type.endsWith("json")) {
            ObjectNode schema = JSON.createObjectNode();
            schema.set("components", root.path("components"));
            schema.setAll((ObjectNode) content.path(type).path("schema"));
            assertThat(JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                            .getSchema(schema)
                            .validate(JSON.readTree(answer.body())))
                    .as("%s %s %s", method, target, answer.body())
                    .isEmpty();
        }
    }
}
