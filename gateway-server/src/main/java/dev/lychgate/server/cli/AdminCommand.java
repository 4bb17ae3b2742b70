package dev.lychgate.server.cli;

import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.server.terminal.Printable;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** A command that sends a request to the admin listener of a running gateway. */
abstract class AdminCommand extends SubCommand {
    static final int OK = 200;
    /** The response status with which a gateway refuses its files. */
    static final int REFUSED = 422;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String method;
    private final Function<JsonValue, List<String>> text;

    @Mixin
    private final AdminOption admin = new AdminOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    /**
     * @param method POST if the command changes the gateway; GET if the command only reads
     * @param text renders a successful response for a terminal
     */
    AdminCommand(String method, Function<JsonValue, List<String>> text) {
        this.method = method;
        this.text = text;
    }

    /**
     * Returns the path and query of the request.
     *
     * @throws UsageException if the arguments contradict each other, or if an argument is missing
     */
    abstract String target() throws UsageException;

    String method() {
        return method;
    }

    /** Renders a successful response for a terminal. */
    List<String> lines(JsonValue response) {
        return text.apply(response);
    }

    /**
     * Returns the text of a problem document. In this text, names of command options replace the names of query
     * parameters.
     */
    String told(String problem) {
        return problem;
    }

    /**
     * Returns the exit code for a response.
     *
     * @param page the content of a successful response
     */
    int exitCode(int status, JsonValue page) {
        return status == OK ? ExitCode.OK : ExitCode.FAILED;
    }

    /** Returns the exit code if there is no response. */
    int withoutResponse() {
        return ExitCode.FAILED;
    }

    /** Returns whether the output is JSON. */
    final boolean isJson() {
        return json.isGiven();
    }

    /** Returns the configuration file that an option names, or the default file if no option names a file. */
    final Path configFile() {
        Path named = admin.config();
        return named != null ? named : outer().file(surroundings());
    }

    /** Sends the request of this command, and returns the response that the command renders. */
    HttpResponse<String> ask(AdminClient client) throws Exception {
        return client.ask(method(), target());
    }

    private HttpResponse<String> response(Surroundings surroundings) throws Exception {
        try {
            return ask(admin.client(surroundings, outer(), PATIENCE));
        } catch (StartException e) {
            throw new StartException(String.valueOf(e.getMessage()), withoutResponse());
        }
    }

    @Override
    public Integer call() throws Exception {
        Surroundings surroundings = surroundings();
        HttpResponse<String> response = response(surroundings);
        boolean accepted = response.statusCode() == OK;
        if (json.isGiven()) {
            print(Printable.ascii(response.body().strip()));
        } else if (accepted) {
            lines(JsonValue.of(response.body())).forEach(this::print);
        } else {
            AdminClient.problem(response.body())
                    .forEach(line -> surroundings.err().println(Printable.escaped(told(line))));
        }
        return exitCode(response.statusCode(), accepted ? JsonValue.of(response.body()) : JsonValue.NOTHING);
    }

    /**
     * Returns a path with a query.
     *
     * @param parameters alternating names and values; a null value adds no parameter, and a list adds one parameter for
     *     each element
     */
    static String target(String path, @Nullable Object... parameters) {
        StringJoiner target = new StringJoiner("&", path + "?", "").setEmptyValue(path);
        for (int i = 0; i < parameters.length; i += 2) {
            Object value = parameters[i + 1];
            for (Object one : value instanceof List<?> list ? list : value == null ? List.of() : List.of(value)) {
                String encoded = URLEncoder.encode(one.toString(), StandardCharsets.UTF_8);
                target.add(parameters[i] + "=" + encoded.replace("+", "%20"));
            }
        }
        return target.toString();
    }
}
