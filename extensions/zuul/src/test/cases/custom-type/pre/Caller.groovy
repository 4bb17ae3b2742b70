import com.netflix.zuul.FilterProcessor
import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Caller extends ZuulFilter {
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
        RequestContext.currentContext.set('audit', [])
        FilterProcessor.getInstance().runFilters('audit')
        RequestContext.currentContext.addZuulRequestHeader('X-Audit', RequestContext.currentContext.audit.join(','))
    }
}
