import com.fasterxml.jackson.core.JsonFactory
import com.fasterxml.jackson.core.JsonParser
import com.fasterxml.jackson.core.JsonProcessingException
import com.fasterxml.jackson.core.JsonToken
import com.fasterxml.jackson.core.StreamReadFeature
import dev.lychgate.filter.FilterExchange
import dev.lychgate.filter.FilterOutcome

// Limits the GraphQL queries that reach the origin. A short query can be expensive for a server: nested lists multiply the results, and an
// alias repeats a field at no cost to the client. lib/GraphqlDocument.groovy measures both. A filter that interprets a request differently
// from the server does not protect the server. Therefore this filter checks every part of a request from which a server could read a query,
// and rejects ambiguous requests.

settings {
    @Setting(about = 'the paths of the GraphQL server')
    Pattern path = '/graphql/?'
    @Setting(about = 'the maximum nesting depth of fields', min = 1, max = 1000)
    int depth = 10
    @Setting(about = 'the maximum number of aliases in an operation, including its fragments', max = 100_000)
    int aliases = 30
    @Setting(about = 'the maximum number of characters of a query', min = 10, max = 1_000_000)
    int length = 10_000
    @Setting(about = 'the maximum number of operations in one request', min = 1, max = 1000)
    int batch = 5
    @Setting(about = 'the longest body, variables included', min = '1KiB', max = '16MiB')
    ByteSize maxBody = 256.KiB
    @Setting(about = 'accepts operations without a query, which the server has stored (persisted queries)')
    boolean persisted = false
}

order(-50)
body maxBody.asInt()

applies { exchange -> path.matches(exchange.request.path) }

// Duplicate members are rejected, because this filter and the server might read different ones.
def json = JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build()

filter { exchange ->
    def request = exchange.request
    def method = request.method
    if (method == 'OPTIONS') {
        return exchange.proceed()
    }
    List<String> queries = []
    def inUrl = request.queryParameters('query')
    if (inUrl.size() > 1 || request.headers.getAll('content-type').size() > 1) {
        return refuse(exchange, 400, 'AMBIGUOUS', 'several queries or content types')
    }
    // Servers decode a plus as a blank. A literal plus can occur only in numbers and strings, where a blank does not change the measured
    // values.
    queries.addAll(inUrl.collect { it.replace('+', ' ') })
    String text = request.text
    // The body is checked for every method, because some servers read the body of a GET.
    if (!text.empty) {
        if (request.headers.contains('content-encoding')) {
            return refuse(exchange, 415, 'UNSUPPORTED', 'encoded bodies are not accepted')
        }
        String type = request.mediaType
        // Some servers decode UTF-7, in which braces look like letters.
        if ((request.headers['content-type'] ?: '') =~ /(?i)charset(?!\s*=\s*"?utf-8"?\s*(;|$))/) {
            return refuse(exchange, 415, 'UNSUPPORTED', 'the charset has to be utf-8')
        }
        if (type == 'application/graphql') {
            queries << text
        } else if (type != 'application/json') {
            // Servers also read forms and multipart bodies, which this filter can't read.
            return refuse(exchange, 415, 'UNSUPPORTED', 'the body has to be application/json')
        } else {
            try {
                queries.addAll(read(json.createParser(text), batch))
            } catch (JsonProcessingException ignored) {
                // The parser's message quotes the body, so the message is not sent.
                return refuse(exchange, 400, 'MALFORMED', 'the body is not JSON')
            } catch (IllegalArgumentException refused) {
                return refuse(exchange, 400, 'MALFORMED', refused.message)
            }
        }
    }
    if (queries.empty) {
        // The request is for a page for developers, or is a WebSocket handshake.
        return method == 'GET' || method == 'HEAD' ? exchange.proceed() : refuse(exchange, 400, 'MALFORMED', 'no operation')
    }
    for (String query : queries) {
        if (query == null) {
            if (!persisted) {
                return refuse(exchange, 400, 'NO_QUERY', 'an operation without a query')
            }
            continue
        }
        if (query.length() > length) {
            return refuse(exchange, 400, 'TOO_LONG', "a query of more than $length characters")
        }
        try {
            def document = new GraphqlDocument(query)
            if (document.depth > depth) {
                return refuse(exchange, 400, 'TOO_DEEP', "a query with more than $depth levels of fields")
            }
            if (document.aliases > aliases) {
                return refuse(exchange, 400, 'TOO_MANY_ALIASES', "a query with more than $aliases aliases")
            }
        } catch (IllegalArgumentException malformed) {
            return refuse(exchange, 400, 'MALFORMED', malformed.message)
        }
    }
    exchange.proceed()
}

/** Returns the query of each operation; null for an operation without a query. Keeps nothing else of the body. */
static List<String> read(JsonParser from, int most) {
    List<String> queries = []
    JsonToken first = from.nextToken()
    if (first == JsonToken.START_ARRAY) {
        while (from.nextToken() != JsonToken.END_ARRAY) {
            if (queries.size() == most) {
                throw new IllegalArgumentException("more than $most operations")
            }
            queries << operation(from)
        }
    } else {
        queries << operation(from)
    }
    if (from.nextToken() != null) {
        throw new IllegalArgumentException('more than one JSON value')
    }
    queries
}

static String operation(JsonParser from) {
    if (from.currentToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException('an operation has to be an object')
    }
    String query = null
    while (from.nextToken() == JsonToken.FIELD_NAME) {
        String name = from.currentName()
        JsonToken value = from.nextToken()
        if (!name.equalsIgnoreCase('query')) {
            from.skipChildren()
        } else if (name != 'query') {
            // Servers in Go accept "Query" in place of "query".
            throw new IllegalArgumentException('the name of a member differs from query only in case')
        } else if (value == JsonToken.VALUE_STRING) {
            query = from.text
        } else if (value != JsonToken.VALUE_NULL) {
            throw new IllegalArgumentException('the query has to be a string')
        }
    }
    query
}

/** Rejects a request. Messages contain no text from the client, so they need no escaping. */
static FilterOutcome refuse(FilterExchange exchange, int status, String code, String message) {
    exchange.respond(status).json('{"errors":[{"message":"' + message + '","extensions":{"code":"' + code + '"}}]}')
}
