// Removes secret members from JSON, at any depth, while the response streams: from documents of any length, from the lines of NDJSON and
// from the data of server-sent events. A response that cannot be read is not sent, because it may contain secrets.

settings {
    @Setting(about = 'the names of the members that are removed', min = 1, max = 1000)
    List<String> members = ['password', 'cardNumber', 'iban']
    @Setting(about = 'the maximum number of levels of objects and arrays', min = 1, max = 1000)
    int depth = 64
    @Setting(about = 'the longest text in a document', min = '1KiB', max = '64MiB')
    ByteSize maxText = 1.MiB
    @Setting(about = 'the longest line or event', min = '1KiB', max = '16MiB')
    ByteSize maxItem = 64.KiB
}

failClosed()

Set<String> secret = members as Set
def factory = JsonRedaction.factory(depth, maxText.asInt())

applies { exchange ->
    def response = exchange.response
    exchange.request.method != 'HEAD' && (kind(response.mediaType) != null || response.headers.getAll('content-type').size() > 1)
}

filter { exchange ->
    def response = exchange.response
    if (response.headers['content-encoding'] != null || response.headers['content-range'] != null) {
        throw new IllegalStateException('a response with a content coding or a part of one cannot be read')
    }
    if (response.headers.getAll('content-type').size() > 1) {
        throw new IllegalStateException('a response with several content types cannot be read')
    }
    int longest = maxItem.asInt()
    switch (kind(response.mediaType)) {
        case 'events':
            response.eachEvent(longest) { event ->
                // Data of another form, such as [DONE], has no members.
                if (event.data.stripLeading() ==~ /(?s)\{.*|\[\s*[\[{].*/) {
                    def value = event.json
                    if (redact(value, secret, depth)) {
                        event.json = value
                    }
                }
            }
            break
        case 'lines':
            response.eachJson(longest) { item -> redact(item.value, secret, depth) }
            break
        default:
            response.transformBody(new JsonRedaction(factory, secret))
    }
}

/** Returns how a body of this type is read; null if it is not JSON. */
static String kind(String mediaType) {
    switch (mediaType) {
        case 'text/event-stream': return 'events'
        case ~/application\/(x-)?(ndjson|jsonl|jsonlines|json-lines)|application\/stream\+json/: return 'lines'
        case ~/(application|text)\/json|[a-z0-9.-]+\/[a-z0-9.-]+\+json/: return 'document'
        default: return null
    }
}

/** Removes the secret members. @return whether a member was removed */
static boolean redact(Object value, Set<String> secret, int levels) {
    if (levels == 0 && (value instanceof Map || value instanceof List)) {
        throw new IllegalStateException('JSON with too many levels')
    }
    boolean found = false
    if (value instanceof Map) {
        found = ((Map) value).keySet().removeAll(secret)
        ((Map) value).values().each { found |= redact(it, secret, levels - 1) }
    } else if (value instanceof List) {
        ((List) value).each { found |= redact(it, secret, levels - 1) }
    }
    found
}
