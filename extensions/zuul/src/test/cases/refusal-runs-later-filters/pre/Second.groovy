import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Second extends ZuulFilter {
    @Override
    String filterType() {
        return 'pre'
    }

    @Override
    int filterOrder() {
        return 6
    }

    @Override
    boolean shouldFilter() {
        return true
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.getCurrentContext()
        ctx.addZuulResponseHeader('X-Refused', String.valueOf(!ctx.sendZuulResponse()))
    }
}
