import dev.lychgate.filter.FilterExchange
import dev.lychgate.filter.FilterOutcome
import dev.lychgate.filter.InboundFilter
import dev.lychgate.filters.rx.SingleFilter
import io.reactivex.rxjava3.core.Single
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

/**
 * Tells origins a customer's plan and feature flags. Two services are asked, both at once, so that a request waits for the
 * slower of them and not for their sum: GET {service}{customer} answers 200 with a text, or 404. A question that fails is
 * asked once more. What is still missing when the time is over is left at its default: nobody is refused for that.
 */
class Profile implements InboundFilter, SingleFilter {
    private static final String BASIC = 'basic'
    private static final String NO_FLAGS = ''

    private final URI plans
    private final URI flags
    /** How long each service may take, its second try included. */
    private final Duration patience
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build()

    Profile() {
        this(URI.create(System.getenv('PLAN_SERVICE') ?: 'http://127.0.0.1:9090/plans/'),
                URI.create(System.getenv('FLAG_SERVICE') ?: 'http://127.0.0.1:9090/flags/'),
                Duration.ofMillis(300))
    }

    Profile(URI plans, URI flags, Duration patience) {
        this.plans = plans
        this.flags = flags
        this.patience = patience
    }

    /** Beyond the services' own time: a bound for the day when something here is wrong. */
    @Override
    Duration timeout() {
        patience + Duration.ofSeconds(1)
    }

    @Override
    Single<? extends FilterOutcome> decide(FilterExchange exchange) {
        // The fields are ours to say, whoever asks.
        exchange.request.headers['x-plan'] = null
        exchange.request.headers['x-flags'] = null
        String customer = exchange.request.cookie('customer')
        // The form is looked at first: the name becomes part of a URL.
        if (customer == null || !(customer ==~ /[a-z0-9]{1,32}/)) {
            return Single.just(exchange.proceed())
        }
        // Nothing has been asked yet: zip begins both when the gateway subscribes, and waits for both. Where nobody waits
        // any more, because the client has gone, the gateway disposes of the subscription, and zip of both questions.
        Single.zip(ask(plans, customer, BASIC), ask(flags, customer, NO_FLAGS)) { String plan, String flags ->
            exchange.request.headers['x-plan'] = plan
            if (flags) {
                exchange.request.headers['x-flags'] = flags
            }
            exchange.proceed()
        }
    }

    /** What {@code service} says of the customer; {@code otherwise} if it says nothing, or nothing in time. */
    private Single<String> ask(URI service, String customer, String otherwise) {
        HttpRequest question = HttpRequest.newBuilder(service.resolve(customer)).build()
        // The order matters: the time is that of both tries, and what comes last sees every failure.
        once(question, otherwise)
                .retry(1)
                .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .onErrorReturnItem(otherwise)
    }

    /** One try. Deferred, so that each subscription sends the question anew: without that, retry would ask nobody again. */
    private Single<String> once(HttpRequest question, String unknown) {
        Single.defer {
            CompletableFuture<HttpResponse<String>> answer =
                    client.sendAsync(question, HttpResponse.BodyHandlers.ofString())
            // Whoever is not waited for any more is told so.
            Single.fromCompletionStage(answer).doOnDispose { answer.cancel(true) }
        }.map { HttpResponse<String> answer -> said(answer, unknown) }
    }

    private static String said(HttpResponse<String> answer, String unknown) {
        switch (answer.statusCode()) {
            case 200: return answer.body().trim()
            case 404: return unknown
            default: throw new IOException("the service answers ${answer.statusCode()}")
        }
    }
}
