// Masks e-mail addresses, payment card numbers, IBANs and phone numbers in JSON, NDJSON and event streams, such as the responses of
// language models. A value that is split over several events is masked, too, see lib/PiiEvents.groovy.

settings {
    @Setting(about = 'masks e-mail addresses')
    boolean emails = true
    @Setting(about = 'masks payment card numbers with a valid check digit')
    boolean cards = true
    @Setting(about = 'masks IBANs with valid check digits')
    boolean ibans = true
    @Setting(about = 'masks phone numbers that begin with + and the country')
    boolean phones = true
    @Setting(about = 'the text in place of a masked value')
    String mask = '***'
    @Setting(about = 'the paths of texts in events that continue in later events', max = 100)
    List<String> deltas = ['choices.delta.content', 'choices.delta.reasoning_content', 'choices.delta.refusal',
            'choices.delta.tool_calls.function.arguments', 'choices.text', 'delta', 'delta.text', 'delta.thinking', 'delta.partial_json']
    @Setting(about = 'the longest event, line or element of a JSON array, and the longest JSON body of another kind', min = '1KiB', max = '16MiB')
    ByteSize maxItem = 1.MiB
}

// It is better to send no response than a response with personal data.
failClosed()

PiiEvents.load()
def text = new PiiText(emails, cards, ibans, phones, mask)
Set<String> paths = deltas as Set

// Also applies to responses with several Content-Type headers. The gateway refuses to read these responses, so they are not sent.
applies { exchange ->
    def response = exchange.response
    exchange.request.method != 'HEAD' && (response.headers.getAll('content-type').size() > 1 || response.mediaType ==~
            /text\/event-stream|(application|text)\/json|application\/(x-)?(ndjson|jsonl)|[a-z0-9.-]+\/[a-z0-9.-]+\+json/)
}

filter { exchange ->
    def response = exchange.response
    int longest = maxItem.asInt()
    if (response.mediaType == 'text/event-stream') {
        def events = new PiiEvents(text, paths)
        response.eachEvent(longest) { events.next(it) }
        response.transformBody(events)
    } else {
        response.eachJson(longest) { item ->
            def changed = masked(item.value, text)
            if (changed != item.value) {
                item.value = changed
            }
        }
    }
}

static Object masked(Object value, PiiText text) {
    if (value instanceof Map) {
        return ((Map<String, Object>) value).collectEntries { name, member -> [(name): masked(member, text)] }
    }
    if (value instanceof List) {
        return ((List<Object>) value).collect { masked(it, text) }
    }
    if (value instanceof String) {
        return text.mask((String) value)
    }
    value instanceof Number && text.isCard((Number) value) ? text.mask(value.toString()) : value
}
