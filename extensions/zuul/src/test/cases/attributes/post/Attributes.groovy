import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Attributes extends ZuulFilter {
    @Override
    String filterType() {
        return 'post'
    }

    @Override
    int filterOrder() {
        return 1
    }

    @Override
    boolean shouldFilter() {
        return true
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.currentContext
        ctx.addZuulResponseHeader('X-Trace', ctx.request.getAttribute('trace') + ',' + ctx.request.getAttribute('gone'))
    }
}
