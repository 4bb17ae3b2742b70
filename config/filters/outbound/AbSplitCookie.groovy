import dev.lychgate.filter.AttributeKey

// Sets the cookies in which clients keep the variants that inbound/AbSplit.groovy has chosen.

def cookies = AttributeKey.of('ab.cookie', Map)

applies { exchange -> exchange.get(cookies) != null }

filter { exchange ->
    exchange.get(cookies).each { name, value ->
        def (variant, attributes) = value.toString().split('; ', 2).toList()
        exchange.response.addCookie(name.toString(), variant, attributes)
    }
}
