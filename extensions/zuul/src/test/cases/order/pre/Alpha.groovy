import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Alpha extends ZuulFilter {
    @Override
    String filterType() {
        return 'pre'
    }

    @Override
    int filterOrder() {
        return 30
    }

    @Override
    boolean shouldFilter() {
        return true
    }

    @Override
    Object run() {
        def ctx = RequestContext.currentContext
        ctx.addZuulRequestHeader('X-Trail', ctx.trail + 'c')
    }
}
