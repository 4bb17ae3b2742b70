import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

/** Uses classes that Groovy imports. */
class Sample extends ZuulFilter {
    private final Properties settings = new Properties()

    @Override
    String filterType() {
        return 'pre'
    }

    @Override
    int filterOrder() {
        return 6
    }

    @Override
    boolean shouldFilter() {
        settings.load(new StringReader('kind=sample'))
        return settings.getProperty('kind') == 'sample'
    }

    @Override
    Object run() {
        Writer text = new StringWriter()
        text.write(settings.getProperty('kind'))
        RequestContext.currentContext.addZuulRequestHeader('X-Kind', text.toString())
    }
}
