import com.netflix.zuul.context.RequestContext
import com.netflix.zuul.filters.SurgicalDebugFilter

class Divert extends SurgicalDebugFilter {
    @Override
    boolean patternMatches() {
        return RequestContext.currentContext.request.requestURI == '/things'
    }
}
