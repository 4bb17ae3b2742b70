import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class AuditTwo extends ZuulFilter {
    @Override
    String filterType() {
        return 'audit'
    }

    @Override
    int filterOrder() {
        return 2
    }

    @Override
    boolean shouldFilter() {
        return true
    }

    @Override
    Object run() {
        RequestContext.currentContext.audit << 'two'
    }
}
