import com.netflix.config.DynamicPropertyFactory
import com.netflix.config.DynamicStringSetProperty
import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Names extends ZuulFilter {
    private static final NAMES = new DynamicStringSetProperty('sample.names', 'none')
    private static final DEFAULTS = new DynamicStringSetProperty('sample.missing', 'x| y', '\\|')
    private static final LIMIT = DynamicPropertyFactory.instance.getIntProperty('sample.size', 1, { } as Runnable)

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
        return NAMES.get().contains('blue')
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.currentContext
        ctx.addZuulRequestHeader('X-Names', NAMES.get().sort().join(';') + ' of ' + NAMES.name)
        ctx.addZuulRequestHeader('X-Defaults', DEFAULTS.get().sort().join(';') + ' ' + LIMIT.get() + ' ' + LIMIT.defaultValue)
    }
}
