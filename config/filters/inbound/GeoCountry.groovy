import dev.lychgate.config.Cidr

// Tells origins the client's country, as the CDN in front of us says it. Anybody else who says it is not believed: these
// are the CDN's addresses. (They must not be among the listener's trusted proxies; the client's address would be the one
// behind the CDN then.)

order(-150)

def cdn = ['198.51.100.0/24', '2001:db8::/32'].collect { Cidr.parse(it) }

filter { exchange ->
    def headers = exchange.request.headers
    String country = headers['cf-ipcountry']
    headers['cf-ipcountry'] = null
    headers['x-country'] = null
    boolean believed = cdn.any { Cidr range -> range.contains(exchange.clientAddress) }
    if (believed && country ==~ /[A-Z]{2}/) {
        headers['x-country'] = country
    }
}
