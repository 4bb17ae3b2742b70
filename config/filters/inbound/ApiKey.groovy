import dev.lychgate.filter.AsyncFilter
import dev.lychgate.filter.AttributeKey
import dev.lychgate.filter.FilterExchange
import dev.lychgate.filter.FilterOutcome
import dev.lychgate.filter.InboundFilter
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionStage
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentMap

/**
 * Lets requests pass whose X-Api-Key is known to a key service: GET {service}{key} answers 200 with the customer's name, or
 * 404. Nothing waits on the event loop for that. What the service says is kept for a minute, an unknown key too. If it
 * can't be asked, the request is refused: a filter of the inbound phase fails closed unless it says otherwise.
 */
class ApiKey implements InboundFilter, AsyncFilter {
    /** Who the client is, for filters that run later. */
    static final AttributeKey<String> CUSTOMER = AttributeKey.of('customer', String)

    private static final Duration FRESH = Duration.ofMinutes(1)
    /** Most keys that are remembered; guessed keys must not fill the memory. */
    private static final int MOST = 10_000

    private static class Known {
        final String customer
        final long since = System.nanoTime()

        /** @param customer null if the service does not know the key */
        Known(String customer) {
            this.customer = customer
        }

        boolean isFresh() {
            System.nanoTime() - since < FRESH.toNanos()
        }
    }

    private final URI service
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build()
    private final ConcurrentMap<String, Known> known = new ConcurrentHashMap<>()

    ApiKey() {
        this(URI.create(System.getenv('API_KEY_SERVICE') ?: 'http://127.0.0.1:9090/keys/'))
    }

    ApiKey(URI service) {
        this.service = service
    }

    @Override
    int order() {
        -100
    }

    @Override
    Duration timeout() {
        Duration.ofSeconds(2)
    }

    @Override
    boolean applies(FilterExchange exchange) {
        exchange.request.path.startsWith('/api/')
    }

    @Override
    CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
        String key = exchange.request.headers['x-api-key']
        // The form is looked at first: the key becomes part of a URL.
        if (key == null || !(key ==~ /[A-Za-z0-9_-]{16,64}/)) {
            return CompletableFuture.completedFuture(refusal(exchange))
        }
        Known before = known.get(key)
        if (before != null && before.fresh) {
            return CompletableFuture.completedFuture(decide(exchange, before))
        }
        HttpRequest question = HttpRequest.newBuilder(service.resolve(key)).timeout(timeout()).build()
        // What is made from a client's future cancels the call when it is cancelled.
        client.sendAsync(question, HttpResponse.BodyHandlers.ofString()).thenApply { HttpResponse<String> answer ->
            decide(exchange, remember(key, answer))
        }
    }

    private Known remember(String key, HttpResponse<String> answer) {
        if (answer.statusCode() != 200 && answer.statusCode() != 404) {
            throw new IllegalStateException("the key service answers ${answer.statusCode()}")
        }
        Known now = new Known(answer.statusCode() == 200 ? answer.body().trim() : null)
        if (known.size() >= MOST) {
            known.clear()
        }
        known.put(key, now)
        now
    }

    private static FilterOutcome decide(FilterExchange exchange, Known who) {
        if (who.customer == null) {
            return refusal(exchange)
        }
        exchange.set(CUSTOMER, who.customer)
        exchange.request.headers['x-customer'] = who.customer
        // The key is between the client and us.
        exchange.request.headers['x-api-key'] = null
        exchange.proceed()
    }

    private static FilterOutcome refusal(FilterExchange exchange) {
        exchange.respond(401, 'an API key is needed').header('www-authenticate', 'ApiKey')
    }
}
