import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Recall extends ZuulFilter {
    @Override
    String filterType() {
        return 'post'
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
        RequestContext ctx = RequestContext.getCurrentContext()
        ctx.addZuulResponseHeader('X-Account', ctx.get('account').name + '/' + ctx.account.role + '/' + ctx['attempts'])
        ctx.addZuulResponseHeader('X-Flags', [ctx.getBoolean('flag'), ctx.getBoolean('none'), ctx.getBoolean('none', true),
                ctx.containsKey('account')].join(','))
    }
}
