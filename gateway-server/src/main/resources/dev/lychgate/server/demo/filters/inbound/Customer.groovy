import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import java.time.Duration

// Looks a customer up at another service before the request is sent to its origin. A `blocking` filter runs on a separate
// thread, so it may wait without blocking an event loop. If the service fails or needs more than a second, the request continues.

def service = URI.create(System.getProperty('lychgate.demo.customers', 'http://127.0.0.1:9002/customers/'))
def client = HttpClient.newHttpClient()

applies { it.request.headers['x-customer'] ==~ /[0-9]{1,9}/ }

blocking { exchange ->
    def headers = exchange.request.headers
    def lookup = HttpRequest.newBuilder(service.resolve(headers['x-customer'])).timeout(Duration.ofSeconds(1)).build()
    try {
        def found = client.send(lookup, BodyHandlers.discarding()).statusCode() == 200
        headers['x-customer-known'] = found ? 'yes' : 'no'   // GET /headers shows what the origin received
    } catch (IOException e) {
        headers['x-customer-known'] = 'unknown'
        exchange.log.warn('no response from the customer service: {}', e.toString())
    }
}
