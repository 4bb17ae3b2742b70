import com.netflix.config.ConfigurationManager
import com.netflix.config.DynamicBooleanProperty
import com.netflix.config.DynamicIntProperty
import com.netflix.config.DynamicPropertyFactory
import com.netflix.config.DynamicStringProperty
import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

/** Reads properties of several types. */
class TypedProperties extends ZuulFilter {
    private static final DynamicStringProperty NAME = DynamicPropertyFactory.getInstance().getStringProperty('sample.name', 'none')
    private static final DynamicIntProperty SIZE = DynamicPropertyFactory.getInstance().getIntProperty('sample.size', 1)
    private static final DynamicBooleanProperty ON = DynamicPropertyFactory.getInstance().getBooleanProperty('sample.on', false)

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
        return ON.get()
    }

    @Override
    Object run() {
        def missing = DynamicPropertyFactory.instance.getStringProperty('sample.missing', 'default')
        RequestContext.currentContext.addZuulRequestHeader('X-Properties', [NAME.get(), SIZE.get(), missing.get(),
                ConfigurationManager.configInstance.getProperty('sample.name')].join(','))
        return null
    }
}
