import dev.lychgate.filter.FilterExchange
import dev.lychgate.filter.FilterOutcome
import dev.lychgate.filter.InboundFilter
import dev.lychgate.filter.Setting
import dev.lychgate.filters.rx.SingleFilter
import io.reactivex.rxjava3.core.Single
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

/**
 * Sends a customer's plan and feature flags to origins. It calls two services concurrently, so a request waits only for the slower service.
 * Each service responds to GET {service}{customer} with 200 and a text, or with 404. A call that fails is repeated once. If a value is
 * missing after the timeout, its default is used; no request is rejected.
 */
class Profile implements InboundFilter, SingleFilter {
    private static final String NO_FLAGS = ''

    record Settings(
            @Setting(about = 'the URL of the plan service; http://127.0.0.1:9090/plans/ or PLAN_SERVICE if empty', optional = true)
            String plans,
            @Setting(about = 'the URL of the flag service; http://127.0.0.1:9090/flags/ or FLAG_SERVICE if empty', optional = true)
            String flags,
            @Setting(about = 'the timeout of each service, its second attempt included', min = '10ms', max = '1m', defaultValue = '300ms')
            Duration patience,
            @Setting(about = 'the cookie with the name of the customer', defaultValue = 'customer')
            String cookie,
            @Setting(about = 'the plan of customers that the plan service does not know', defaultValue = 'basic')
            String plan) {}

    private final URI plans
    private final URI flags
    private final Settings settings
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build()

    Profile(Settings settings) {
        this.settings = settings
        plans = URI.create(settings.plans() ?: System.getenv('PLAN_SERVICE') ?: 'http://127.0.0.1:9090/plans/')
        flags = URI.create(settings.flags() ?: System.getenv('FLAG_SERVICE') ?: 'http://127.0.0.1:9090/flags/')
    }

    /** Longer than the timeout of the services, so that their timeout expires first. */
    @Override
    Duration timeout() {
        settings.patience() + Duration.ofSeconds(1)
    }

    @Override
    Single<? extends FilterOutcome> decide(FilterExchange exchange) {
        // Only the gateway sets these headers.
        exchange.request.headers['x-plan'] = null
        exchange.request.headers['x-flags'] = null
        String customer = exchange.request.cookie(settings.cookie())
        // The form is checked first, because the name becomes part of a URL.
        if (customer == null || !(customer ==~ /[a-z0-9]{1,32}/)) {
            return Single.just(exchange.proceed())
        }
        // No call has begun yet: zip begins both calls when the gateway subscribes, and waits for both. When the client
        // disconnects, the gateway disposes of the subscription, and zip disposes of both calls.
        Single.zip(ask(plans, customer, settings.plan()), ask(flags, customer, NO_FLAGS)) { String plan, String flags ->
            exchange.request.headers['x-plan'] = plan
            if (flags) {
                exchange.request.headers['x-flags'] = flags
            }
            exchange.proceed()
        }
    }

    /** Returns the text of {@code service} for the customer; {@code otherwise} if there is none, or if no attempt succeeds in time. */
    private Single<String> ask(URI service, String customer, String otherwise) {
        HttpRequest request = HttpRequest.newBuilder(service.resolve(customer)).build()
        // The order matters: the timeout covers both attempts, and the last step handles every failure.
        once(request, otherwise)
                .retry(1)
                .timeout(settings.patience().toMillis(), TimeUnit.MILLISECONDS)
                .onErrorReturnItem(otherwise)
    }

    /** Makes one attempt. The call is deferred, so that each subscription sends the request; otherwise retry would not send it again. */
    private Single<String> once(HttpRequest request, String unknown) {
        Single.defer {
            CompletableFuture<HttpResponse<String>> response =
                    client.sendAsync(request, HttpResponse.BodyHandlers.ofString())
            // Cancels the call when the subscription is disposed of.
            Single.fromCompletionStage(response).doOnDispose { response.cancel(true) }
        }.map { HttpResponse<String> response -> textOf(response, unknown) }
    }

    private static String textOf(HttpResponse<String> response, String unknown) {
        switch (response.statusCode()) {
            case 200: return response.body().trim()
            case 404: return unknown
            default: throw new IOException("the service responded with ${response.statusCode()}")
        }
    }
}
