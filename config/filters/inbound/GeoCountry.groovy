import dev.lychgate.config.Cidr

// Passes the client's country to origins if the CDN in front of the gateway sent it. If any other peer sent the header, it is removed.

settings {
    @Setting(about = 'the address ranges of the CDN, in CIDR notation', max = 1000)
    List<String> cdn = ['198.51.100.0/24', '2001:db8::/32']
    @Setting(about = 'the header in which the CDN sends the country')
    String header = 'cf-ipcountry'
    @Setting(about = 'the header in which origins receive it')
    String to = 'x-country'
}

order(-150)

// The ranges are parsed once. If a range is malformed, the settings are refused.
def ranges = cdn.collect { Cidr.parse(it) }

filter { exchange ->
    def headers = exchange.request.headers
    List<String> countries = headers.getAll(header)
    headers[header] = null
    headers[to] = null
    boolean trusted = ranges.any { Cidr range -> range.contains(exchange.peerAddress) }
    if (trusted && countries.size() == 1 && countries[0] ==~ /[A-Z]{2}/) {
        headers[to] = countries[0]
    }
}
