import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Forget extends ZuulFilter {
    @Override
    String filterType() {
        return 'pre'
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
        RequestContext ctx = RequestContext.getCurrentContext()
        ctx.set('note', 'a')
        ctx.set('note', null)
        ctx.addZuulRequestHeader('X-Note', String.valueOf(ctx.get('note')) + ctx.containsKey('note'))
    }
}
