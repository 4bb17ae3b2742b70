import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Theme extends ZuulFilter {
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
        def theme = ctx.request.cookies?.find { it.name == 'theme' }
        ctx.addZuulRequestHeader('X-Theme', theme?.value ?: 'light')
    }
}
