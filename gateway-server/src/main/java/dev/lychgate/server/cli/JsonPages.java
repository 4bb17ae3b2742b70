package dev.lychgate.server.cli;

import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.server.terminal.Printable;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;

/** Several pages of an admin listener as one JSON object on one line. */
final class JsonPages {
    private JsonPages() {}

    /**
     * Reads all {@code paths}, one after the other.
     *
     * @return an object whose members are named like the paths
     * @throws StartException if there is no response, or one that is not a page
     */
    static String read(AdminClient client, List<String> paths) throws StartException, InterruptedException {
        JsonObject pages = new JsonObject();
        for (String path : paths) {
            HttpResponse<String> response = client.ask("GET", path);
            // /ready is 503 with its reason where the gateway is not ready.
            if (response.statusCode() != 200 && response.statusCode() != 503) {
                throw new StartException(path + ": " + response.statusCode() + " "
                        + Printable.escaped(String.join(" ", Problem.lines(response.body()))));
            }
            String page = json(path, response.body());
            JsonText.Content content = json -> json.writeRawValue(page);
            pages.with(path, content);
        }
        return JsonText.of(pages);
    }

    private static String json(String path, String body) throws StartException {
        try {
            JsonValue.of(body);
            return Printable.ascii(body.strip()).replace("\n", " ");
        } catch (IOException e) {
            throw new StartException(path + ": the response is not JSON; is it the admin listener of a gateway?");
        }
    }
}
