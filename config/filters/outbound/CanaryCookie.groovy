import dev.lychgate.filter.AttributeKey

// Lets the client remember the group that inbound/Canary.groovy has drawn for it.

def group = AttributeKey.of('canary.group', String)

applies { exchange -> exchange.get(group) != null }

filter { exchange ->
    exchange.response.addCookie('canary', exchange.get(group), 'Path=/shop; Max-Age=604800; HttpOnly; SameSite=Lax')
}
