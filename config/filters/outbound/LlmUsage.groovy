import java.util.function.ObjLongConsumer

// Counts the tokens that language models report in their responses: JSON bodies and event streams of the APIs of OpenAI (chat completions,
// responses, embeddings), of Anthropic (messages), and of servers that are compatible with them. The body passes unchanged and without a
// delay, see lib/LlmUsageReader.groovy. Together with inbound/LlmBudget.groovy, it limits each client to a budget.

settings {
    @Setting(about = 'the beginnings of the names of models that are counted separately; the longest beginning that matches counts', max = 24)
    List<String> models = ['gpt-4', 'gpt-5', 'o3', 'o4', 'claude-haiku', 'claude-opus', 'claude-sonnet']
    @Setting(about = 'logs the usage of each response')
    boolean log = true
}

def tokens = counter('tokens')
def responses = counter('responses')
List<String> known = models.toSorted { -it.length() }

applies { exchange ->
    exchange.request.method != 'HEAD' && exchange.response.status in 200..299 &&
            exchange.response.mediaType in ['text/event-stream', 'application/json']
}

filter { exchange ->
    def response = exchange.response
    String coding = response.headers['content-encoding']
    boolean readable = coding == null || coding.equalsIgnoreCase('identity')
    def reader = new LlmUsageReader(response.mediaType == 'text/event-stream')
    if (readable) {
        response.transformBody(reader)
    }
    // The usage is complete when the exchange has ended. Other filters can read it in their completion actions.
    Map<String, Long> usage = [:]
    exchange['llm.usage'] = usage
    def charge = (ObjLongConsumer<Map<String, Long>>) exchange['llm.charge']
    def logger = exchange.log
    exchange.onCompleted { completion ->
        usage.putAll(reader.usage())
        String model = reader.model()
        String result = !readable ? 'unreadable' : completion.error != null ? 'aborted' : usage.isEmpty() ? 'unreported' : 'complete'
        // If the usage is not complete, the number of events is an estimate of the tokens, because an event contains about one token.
        charge?.accept(usage, result == 'complete' ? 0L : reader.events())
        String label = known.find { model?.startsWith(it) } ?: 'other'
        usage.each { kind, count -> tokens.add("$label $kind".toString(), count) }
        responses.increment(result)
        if (log) {
            logger.info('token usage: result={} model={} {}', result, model, usage)
        }
    }
}
