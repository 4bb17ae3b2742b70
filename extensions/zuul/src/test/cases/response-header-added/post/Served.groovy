import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Served extends ZuulFilter {
    @Override
    String filterType() {
        return 'post'
    }

    @Override
    int filterOrder() {
        return 10
    }

    @Override
    boolean shouldFilter() {
        return true
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.getCurrentContext()
        def type = ctx.getOriginResponseHeaders().find { it.first().equalsIgnoreCase('Content-Type') }
        ctx.addZuulResponseHeader('X-Origin-Type', type == null ? 'none' : type.second())
        ctx.addZuulResponseHeader('X-Path', ctx.getRequest().getRequestURI())
    }
}
