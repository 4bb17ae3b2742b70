import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Accept extends ZuulFilter {
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
        RequestContext ctx = RequestContext.getCurrentContext()
        ctx.addZuulRequestHeader('Accept', 'application/json')
        ctx.zuulRequestHeaders.put('x-seen', ctx.zuulRequestHeaders.keySet().sort().join(','))
    }
}
