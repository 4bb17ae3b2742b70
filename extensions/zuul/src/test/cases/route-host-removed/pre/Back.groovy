import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Back extends ZuulFilter {
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
        ctx.routeHost = new URL('http://never.example.com')
        ctx.removeRouteHost()
        ctx.addZuulRequestHeader('X-Route', String.valueOf(ctx.routeHost))
    }
}
