import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.Debug
import com.netflix.zuul.context.RequestContext

class Show extends ZuulFilter {
    @Override
    String filterType() {
        return 'post'
    }

    @Override
    int filterOrder() {
        return 900
    }

    @Override
    boolean shouldFilter() {
        return com.netflix.zuul.context.Debug.debugRequest()
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.getCurrentContext()
        List<String> lines = (List<String>) ctx.get('requestDebug')
        ctx.addZuulResponseHeader('X-Debug', lines.join(';') + ' ' + Debug.debugRouting() + ' ' + Debug.debugRequestHeadersOnly())
    }
}
