import dev.lychgate.filter.AttributeKey
import java.util.concurrent.ThreadLocalRandom

// Sends a share of the visitors to the upstream 'canary'. Who was sent there once stays there: the group is kept in a
// cookie, which outbound/CanaryCookie.groovy sets.

def share = 10 // of 100 new visitors
def group = AttributeKey.of('canary.group', String)

applies { exchange -> exchange.request.path.startsWith('/shop') }

filter { exchange ->
    String given = exchange.request.cookie('canary')
    boolean known = given == 'yes' || given == 'no'
    String drawn = ThreadLocalRandom.current().nextInt(100) < share ? 'yes' : 'no'
    String chosen = known ? given : drawn
    if (!known) {
        exchange.set(group, chosen)
    }
    if (chosen == 'yes') {
        exchange.upstream = 'canary'
    }
    // Between the client and us.
    exchange.request.removeCookie('canary')
}
