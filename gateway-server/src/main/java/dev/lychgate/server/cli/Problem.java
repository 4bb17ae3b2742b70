package dev.lychgate.server.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a problem of the admin listener (RFC 9457) says to people. */
final class Problem {
    private static final JsonFactory JSON = new JsonFactory();

    private Problem() {}

    /** Its faults, one by one; else its detail; and all of what is no problem in JSON. */
    static List<String> lines(String body) {
        List<String> faults = new ArrayList<>();
        String detail = body.strip();
        try (JsonParser json = JSON.createParser(body)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                @Nullable JsonToken value = json.nextToken();
                if (name.equals("detail") && value == JsonToken.VALUE_STRING) {
                    detail = json.getText();
                } else if (name.equals("faults") && value == JsonToken.START_ARRAY) {
                    read(json, faults);
                } else {
                    json.skipChildren();
                }
            }
        } catch (IOException e) {
            // Not from a gateway of ours, perhaps: whoever looks at it will know.
            return List.of(body.strip());
        }
        return faults.isEmpty() ? List.of(detail) : faults;
    }

    private static void read(JsonParser json, List<String> faults) throws IOException {
        while (json.nextToken() == JsonToken.VALUE_STRING) {
            faults.add(json.getText());
        }
    }
}
