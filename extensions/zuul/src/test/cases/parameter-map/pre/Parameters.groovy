import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Parameters extends ZuulFilter {
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
        def names = ctx.request.parameterMap.keySet().sort()
        ctx.addZuulRequestHeader('X-Parameters', names.collect { it + '=' + ctx.request.getParameterValues(it).join('|') }.join(';'))
    }
}
