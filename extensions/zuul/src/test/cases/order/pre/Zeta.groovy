import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Zeta extends ZuulFilter {
    @Override
    String filterType() {
        return 'pre'
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
        def ctx = RequestContext.currentContext
        ctx.trail = (ctx.trail ?: '') + 'a'
    }
}
