"""Groovy filters for the gateways under test."""

import os

_NOTHING = "filter {\n}\n"
# A typical filter: reads the request and lets it pass.
_LOOK = """\
filter { exchange ->
    if (exchange.request.headers['x-banned'] != null) {
        return exchange.respond(403, 'no')
    }
}
"""
# The same with a budget that is never exceeded.
_BUDGET = "budget cpu: '1s', allocation: '1GiB', time: '1s', over: 'eject'\n" + _NOTHING
_SINGLE = """
import dev.lychgate.filter.FilterExchange
import dev.lychgate.filter.FilterOutcome
import dev.lychgate.filters.rx.SingleFilter
import io.reactivex.rxjava3.core.Single

class Completed implements SingleFilter {
    @Override
    Single<FilterOutcome> decide(FilterExchange exchange) { Single.just(exchange.proceed()) }
}
"""
_BLOCKING = "blocking {\n}\n"
# Buffers the whole body.
_BODY = """\
body 65536
filter { exchange ->
    if (exchange.response.body.length == 0) {
        exchange.log.info('empty')
    }
}
"""
_CALL = """\
async { exchange ->
    exchange.call('origin').get('/1k').send().thenApply { exchange.proceed() }
}
"""
_TWO_CALLS = """\
async { exchange ->
    def other = exchange.call('origin').get('/1k').send()
    exchange.call('origin').get('/1k').send().thenCombine(other) { one, two -> exchange.proceed() }
}
"""

# A filter of Zuul 1 that reads a header and changes the request. {name} is its class.
_ZUUL = """\
import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class {name} extends ZuulFilter {
    String filterType() { 'pre' }
    int filterOrder() { 10 }
    boolean shouldFilter() { true }

    Object run() {
        def ctx = RequestContext.currentContext
        if (ctx.request.getHeader('x-banned') != null) {
            ctx.setSendZuulResponse(false)
            ctx.responseStatusCode = 403
        } else {
            ctx.addZuulRequestHeader('x-{name}', 'passed')
        }
        return null
    }
}
"""

# By name: number of files, phase and source text.
VARIANTS = {
    "none": (0, "inbound", ""),
    "sync": (1, "inbound", _NOTHING),
    "ten": (10, "inbound", _NOTHING),
    "ten-budget": (10, "inbound", _BUDGET),
    "look": (1, "inbound", _LOOK),
    "ten-look": (10, "inbound", _LOOK),
    "single": (1, "inbound", _SINGLE),
    "blocking": (1, "inbound", _BLOCKING),
    "body": (1, "outbound", _BODY),
    "call": (1, "inbound", _CALL),
    "two-calls": (1, "inbound", _TWO_CALLS),
    "five-zuul": (5, "pre", _ZUUL),
}


def extensions(variant):
    """The extensions that the filters of a variant need, as a section of the configuration."""
    return {"zuul": {}} if VARIANTS[variant][2] is _ZUUL else {}


def write(path, variant):
    """Creates the directory with the filters of a variant; None if it has none."""
    count, phase, text = VARIANTS[variant]
    if not count:
        return None
    os.makedirs(os.path.join(path, phase))
    for number in range(count):
        name = "Completed" if text is _SINGLE else f"Filter{number}" if text is _ZUUL else f"filter{number}"
        with open(os.path.join(path, phase, f"{name}.groovy"), "w", encoding="utf-8") as file:
            file.write(text.replace("{name}", name))
    return path
