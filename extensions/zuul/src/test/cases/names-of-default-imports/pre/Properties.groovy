import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

/** Has the name of a class that Groovy imports, and refers to itself by that name. */
class Properties extends ZuulFilter {
    static final String NAME = Properties.simpleName

    static class Trail {
        static String of(Class<?> type) {
            return type.simpleName
        }
    }

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
        return this instanceof Properties
    }

    @Override
    Object run() {
        RequestContext.currentContext.addZuulRequestHeader('X-Own', NAME + Trail.of(Properties))
    }
}
