package dev.lychgate.oidc;

import dev.lychgate.filter.FilterOutcome;
import java.util.List;

/** Responses of logins and logouts. No cache may store them. */
final class Responses {
    private Responses() {}

    static FilterOutcome.Respond uncached(FilterOutcome.Respond response) {
        return response.header("cache-control", "no-store");
    }

    static FilterOutcome.Respond text(int status, String text) {
        return uncached(FilterOutcome.respond(status).text(text + "\n"));
    }

    /** Returns a redirect to a path of this site, which the browser requests by GET. */
    static FilterOutcome.Respond redirect(RedirectUri site, String path) {
        return uncached(FilterOutcome.redirect(303, site.origin() + path));
    }

    static FilterOutcome.Respond setCookies(FilterOutcome.Respond response, List<String> fields) {
        fields.forEach(field -> response.header("set-cookie", field));
        return response;
    }
}
