import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Names extends ZuulFilter {
    @Override
    String filterType() {
        return 'pre'
    }

    @Override
    int filterOrder() {
        return 5
    }

    @Override
    boolean shouldFilter() {
        return true
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.currentContext
        List<String> names = []
        def each = ctx.request.headerNames
        while (each.hasMoreElements()) {
            names << each.nextElement().toLowerCase()
        }
        ctx.addZuulRequestHeader('X-Names', names.unique().sort().join(','))
        ctx.addZuulRequestHeader('X-Twice', ctx.request.getHeaders('X-Twice').toList().join('|'))
    }
}
