import dev.lychgate.config.Cidr

// Passes the client's country to origins if the CDN in front of the gateway sent it. These are the CDN's addresses; the
// header of any other peer is removed.

order(-150)

def cdn = ['198.51.100.0/24', '2001:db8::/32'].collect { Cidr.parse(it) }

filter { exchange ->
    def headers = exchange.request.headers
    String country = headers['cf-ipcountry']
    headers['cf-ipcountry'] = null
    headers['x-country'] = null
    boolean believed = cdn.any { Cidr range -> range.contains(exchange.peerAddress) }
    if (believed && country ==~ /[A-Z]{2}/) {
        headers['x-country'] = country
    }
}
