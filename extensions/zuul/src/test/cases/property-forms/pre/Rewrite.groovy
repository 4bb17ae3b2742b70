import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

/** Uses Groovy's property form; {@code requestURI} is a key of the context. */
class Rewrite extends ZuulFilter {
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
        def ctx = RequestContext.currentContext
        ctx.requestURI = '/v2' + ctx.request.requestURI
        ctx.addZuulRequestHeader('X-Verb', ctx.request.method)
        return null
    }
}
