import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Remember extends ZuulFilter {
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
        ctx.set('account', [id: 7, name: 'Ann'])
        ctx.put('attempts', 2)
        ctx.set('flag')
        ctx.account.role = 'reader'
    }
}
