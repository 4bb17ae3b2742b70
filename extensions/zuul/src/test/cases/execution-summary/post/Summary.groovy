import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Summary extends ZuulFilter {
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
        RequestContext ctx = RequestContext.currentContext
        ctx.addZuulResponseHeader('X-Summary', ctx.filterExecutionSummary.toString().contains('Before[SUCCESS]') as String)
    }
}
