import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class AuditOne extends ZuulFilter {
    @Override
    String filterType() {
        return 'audit'
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
        RequestContext.currentContext.audit << 'one'
    }
}
