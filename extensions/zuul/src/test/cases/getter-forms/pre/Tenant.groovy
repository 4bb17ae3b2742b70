import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Tenant extends ZuulFilter {
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
        return RequestContext.getCurrentContext().getRequest().getHeader("X-TENANT") != null
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.getCurrentContext();
        String tenant = ctx.getRequest().getHeader("x-tenant");
        ctx.addZuulRequestHeader("X-Tenant", tenant.toUpperCase());
        ctx.set("requestURI", "/" + tenant + ctx.getRequest().getRequestURI());
        return null;
    }
}
