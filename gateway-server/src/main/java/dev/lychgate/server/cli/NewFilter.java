package dev.lychgate.server.cli;

import java.util.Locale;

/** A template: the text of a new filter and of its test. Both are complete, so the test passes unchanged. */
record NewFilter(String name, Phase phase, Form form) {
    /**
     * The part of a script template that restricts a new endpoint filter. Without this part, the filter would respond
     * to all requests as soon as its file exists.
     */
    private static final String APPLIES = """

            // The requests that get the response. Without this block, the filter responds to all requests.
            applies { it.request.path == '/%s' }
            """;

    /** The part of a class template that restricts a new endpoint filter, like {@link #APPLIES} in a script. */
    private static final String APPLIES_OF_CLASS = """
                // The requests that get the response. Without this method, the filter responds to all requests.
                @Override
                boolean applies(FilterExchange exchange) {
                    exchange.request.path == '/%s'
                }

            """;

    /** The phases in which a filter can run. Each phase has a directory. */
    enum Phase {
        INBOUND(
                "the value of the header that the upstream receives",
                "exchange.request.headers['%s'] = text",
                "get('/').through(%s).sent.header('%s') == '%s'"),
        ENDPOINT(
                "the text of the response", "exchange.respond(200, text)", "get('/%4$s').through(%1$s).text == '%3$s'"),
        OUTBOUND(
                "the value of the header that the client receives",
                "exchange.response.headers['%s'] = text",
                "get('/').origin(200).through(%s).header('%s') == '%s'"),
        ERROR(
                "the text of the response",
                "exchange.respond(503, text)",
                "get('/').originFails(ErrorKind.CONNECT_REFUSED).through(%1$s).text == '%3$s'");

        private final String about;
        private final String action;
        private final String check;

        Phase(String about, String action, String check) {
            this.about = about;
            this.action = action;
            this.check = check;
        }

        boolean responds() {
            return this == ENDPOINT || this == ERROR;
        }

        /** Returns the name of this phase on the command line, which is also the name of its directory. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns the name of the interface that filter classes of this phase implement. */
        String type() {
            return name().charAt(0) + toString().substring(1) + "Filter";
        }
    }

    /** The forms of filters. */
    enum Form {
        FILTER,
        ASYNC,
        BLOCKING,
        CLASS;

        /** Returns the name of this form on the command line. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    String text() {
        String action = phase.action.formatted(header());
        return switch (form) {
            case FILTER -> script("", """
                    // Runs on an event loop, so it must not block. Return an outcome, such as exchange.respond(403), to end the exchange.
                    filter { exchange ->
                        %s
                    }
                    """.formatted(action));
            case BLOCKING -> script("", """
                    // Runs on a thread of a pool, so it may wait for a database or a file. Return an outcome to end the exchange.
                    timeout '2s'
                    blocking { exchange ->
                        %s
                    }
                    """.formatted(action));
            case ASYNC ->
                script("import java.util.concurrent.CompletableFuture\n\n", """
                    // Returns a stage at once, and the exchange continues when the stage completes. Replace the stage with a call of your client.
                    timeout '2s'
                    async { exchange ->
                        CompletableFuture.completedFuture(text).thenApply { String found ->
                            %s
                    %s    }
                    }
                    """.formatted(
                                action.replaceAll("\\btext(?=\\)?$)", "found"),
                                phase.responds() ? "" : "        exchange.proceed()\n"));
            case CLASS ->
                """
                    import dev.lychgate.filter.%1$s
                    import dev.lychgate.filter.FilterExchange
                    import dev.lychgate.filter.FilterOutcome
                    import dev.lychgate.filter.Setting
                    import dev.lychgate.filter.SyncFilter

                    /** Describe the filter here. */
                    class %2$s implements %1$s, SyncFilter {
                        record Settings(@Setting(about = '%3$s', defaultValue = 'hello') String text) {}

                        private final String text

                        %2$s(Settings settings) {
                            text = settings.text()
                        }

                    %6$s    @Override
                        FilterOutcome filter(FilterExchange exchange) {
                            %4$s
                    %5$s    }
                    }
                    """.formatted(
                                phase.type(),
                                name,
                                phase.about,
                                action,
                                phase.responds() ? "" : "        exchange.proceed()\n",
                                phase == Phase.ENDPOINT ? APPLIES_OF_CLASS.formatted(path()) : "");
        };
    }

    private String script(String imports, String work) {
        return """
                %s// Describe the filter here.

                settings {
                    @Setting(about = '%s')
                    String text = 'hello'
                }

                // The position among the filters of the phase: filters with lower numbers run first.
                order 0
                %s
                %s""".formatted(imports, phase.about, phase == Phase.ENDPOINT ? APPLIES.formatted(path()) : "", work);
    }

    /** Returns the path to which a new endpoint filter responds, without its slash, such as {@code api-key}. */
    private String path() {
        return header().substring("x-".length());
    }

    String test() {
        return """
                // lychgate test runs this file.
                test('the text has a default') {
                    assert %s
                }

                test('the text is a setting') {
                    assert %s
                }
                """.formatted(
                        phase.check.formatted("filter", header(), "hello", path()),
                        phase.check.formatted("filter(text: 'welcome')", header(), "welcome", path()));
    }

    /** Returns the name of the header that the filter sets, such as {@code x-api-key}. */
    private String header() {
        return "x-" + name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }
}
