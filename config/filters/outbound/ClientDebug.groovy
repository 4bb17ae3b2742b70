import dev.lychgate.config.IpLiteral

// Tells the clients that are listed here, by address, which way their requests take, and logs what they send: for the time
// in which somebody looks for a fault. Values of fields that may hold secrets are not logged.

order(1000)

Set<String> clients = ['192.0.2.99'] as Set
Set<String> secret = ['authorization', 'cookie', 'x-api-key'] as Set

applies { exchange -> clients.contains(IpLiteral.text(exchange.clientAddress)) }

filter { exchange ->
    def request = exchange.request
    def response = exchange.response
    List<String> fields = []
    request.headers.forEach { String name, String value ->
        fields << (secret.contains(name.toLowerCase(Locale.ROOT)) ? name + ': ...' : name + ': ' + value)
    }
    exchange.log.info('{} {} from {} is answered {}: {}',
            request.method, request.path, IpLiteral.text(exchange.clientAddress), response.status, fields)
    response.headers['x-debug-request-id'] = exchange.requestId
    response.headers['x-debug-route'] = exchange.route
    response.headers['x-debug-upstream'] = exchange.upstream
}
