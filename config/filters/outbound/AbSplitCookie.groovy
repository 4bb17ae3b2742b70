import dev.lychgate.filter.AttributeKey

// Sets the cookies in which clients keep the variants that inbound/AbSplit.groovy has chosen.

def cookies = AttributeKey.of('ab.cookie', Map)

applies { exchange -> exchange.get(cookies) != null }

filter { exchange ->
    exchange.get(cookies).each { name, value ->
        // The text is the variant, followed by the attributes of the cookie.
        String text = value.toString()
        int end = text.indexOf('; ')
        exchange.response.addCookie(name.toString(), text.substring(0, end), text.substring(end + 2))
    }
}
