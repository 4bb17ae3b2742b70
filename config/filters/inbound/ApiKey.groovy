import dev.lychgate.filter.AsyncFilter
import dev.lychgate.filter.AttributeKey
import dev.lychgate.filter.FilterExchange
import dev.lychgate.filter.FilterOutcome
import dev.lychgate.filter.InboundFilter
import dev.lychgate.filter.Setting
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionStage
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentMap

/**
 * Accepts requests with an X-Api-Key that a key service confirms. The service responds to GET {service}{key} with 200 and the customer's
 * name, or with 404. The event loop does not wait for the response. Responses are cached, including those for unknown keys. If the service
 * does not respond, the request is rejected, because inbound filters fail closed by default.
 */
class ApiKey implements InboundFilter, AsyncFilter {
    /** The attribute with the customer, for filters that run later. */
    static final AttributeKey<String> CUSTOMER = AttributeKey.of('customer', String)

    /** A class declares its settings as a record. Defaults are written as in the configuration. */
    record Settings(
            @Setting(about = 'the URL of the key service, to which the key is appended; http://127.0.0.1:9090/keys/ or API_KEY_SERVICE if empty', optional = true)
            String service,
            @Setting(about = 'the beginning of the paths that need a key', defaultValue = '/api/')
            String prefix,
            @Setting(about = 'the time for which a response of the key service is used', min = '0s', max = '1h', defaultValue = '1m')
            Duration fresh,
            @Setting(about = 'the maximum number of cached keys, so that guessed keys do not fill the memory', min = '1', max = '1000000', defaultValue = '10000')
            int most,
            @Setting(about = 'the timeout of the key service', min = '10ms', max = '1m', defaultValue = '2s')
            Duration timeout) {}

    private static class Known {
        final String customer
        final long since = System.nanoTime()

        /** @param customer null if the service does not know the key */
        Known(String customer) {
            this.customer = customer
        }

        boolean isFresh(Duration fresh) {
            System.nanoTime() - since < fresh.toNanos()
        }
    }

    private final Settings settings
    private final URI service
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build()
    private final ConcurrentMap<String, Known> known = new ConcurrentHashMap<>()

    ApiKey(Settings settings) {
        this.settings = settings
        service = URI.create(settings.service() ?: System.getenv('API_KEY_SERVICE') ?: 'http://127.0.0.1:9090/keys/')
    }

    @Override
    int order() {
        -100
    }

    @Override
    Duration timeout() {
        settings.timeout()
    }

    @Override
    boolean applies(FilterExchange exchange) {
        exchange.request.path.startsWith(settings.prefix())
    }

    @Override
    CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
        String key = exchange.request.headers['x-api-key']
        // The form is checked first, because the key becomes part of a URL.
        if (key == null || !(key ==~ /[A-Za-z0-9_-]{16,64}/)) {
            return CompletableFuture.completedFuture(refusal(exchange))
        }
        Known before = known.get(key)
        if (before != null && before.isFresh(settings.fresh())) {
            return CompletableFuture.completedFuture(decide(exchange, before))
        }
        HttpRequest request = HttpRequest.newBuilder(service.resolve(key)).timeout(timeout()).build()
        // The gateway cancels the returned future when the client disconnects, which cancels the call.
        client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).thenApply { HttpResponse<String> response ->
            decide(exchange, remember(key, response))
        }
    }

    private Known remember(String key, HttpResponse<String> response) {
        if (response.statusCode() != 200 && response.statusCode() != 404) {
            throw new IllegalStateException("the key service responded with ${response.statusCode()}")
        }
        Known now = new Known(response.statusCode() == 200 ? response.body().trim() : null)
        if (known.size() >= settings.most()) {
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
        // Origins do not receive the key.
        exchange.request.headers['x-api-key'] = null
        exchange.proceed()
    }

    private static FilterOutcome refusal(FilterExchange exchange) {
        exchange.respond(401, 'an API key is needed').header('www-authenticate', 'ApiKey')
    }
}
