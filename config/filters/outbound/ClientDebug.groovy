import dev.lychgate.config.IpLiteral

// For requests of the listed clients, adds the request id, the route and the upstream to the response, and logs the request headers. Use
// this filter while you analyze a problem. Values of headers that may contain secrets are not logged.

settings {
    @Setting(about = 'the addresses of the clients', max = 100)
    List<String> clients = ['192.0.2.99']
    @Setting(about = 'the headers whose values are not logged', max = 100)
    List<String> secret = ['authorization', 'proxy-authorization', 'cookie', 'x-api-key']
}

order(1000)

// Addresses and names are compared in one spelling, because an IPv6 address has several spellings and header names are case-insensitive.
Set<String> addresses = clients.collect { IpLiteral.text(InetAddress.getByName(literal(it))) } as Set
Set<String> hidden = secret.collect { it.toLowerCase(Locale.ROOT) } as Set

applies { exchange -> addresses.contains(IpLiteral.text(exchange.clientAddress)) }

filter { exchange ->
    def request = exchange.request
    def response = exchange.response
    List<String> fields = []
    request.headers.forEach { String name, String value ->
        fields << (hidden.contains(name.toLowerCase(Locale.ROOT)) ? name + ': ...' : name + ': ' + value)
    }
    exchange.log.info('{} {} from {} has the response {}: {}',
            request.method, request.path, IpLiteral.text(exchange.clientAddress), response.status, fields)
    response.headers['x-debug-request-id'] = exchange.requestId
    response.headers['x-debug-route'] = exchange.route
    response.headers['x-debug-upstream'] = exchange.upstream
}

/** Refuses host names, which would be resolved. */
static String literal(String address) {
    if (!(address ==~ /[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*/)) {
        throw new IllegalArgumentException("clients: $address (expected: an IP address)")
    }
    address
}
