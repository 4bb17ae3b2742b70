import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext
import com.netflix.zuul.util.HTTPRequestUtils

class Paging extends ZuulFilter {
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
        RequestContext ctx = RequestContext.getCurrentContext()
        Map<String, List<String>> parameters = HTTPRequestUtils.getInstance().getQueryParams() ?: new LinkedHashMap<>()
        parameters.put('limit', ['20'])
        parameters.remove('sort')
        ctx.setRequestQueryParams(new TreeMap<>(parameters))
    }
}
