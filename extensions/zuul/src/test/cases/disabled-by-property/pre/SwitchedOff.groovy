import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class SwitchedOff extends ZuulFilter {
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
        RequestContext.currentContext.addZuulRequestHeader('X-Off', '1')
    }
}
