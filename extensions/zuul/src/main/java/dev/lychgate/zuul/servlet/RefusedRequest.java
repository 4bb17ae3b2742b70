package dev.lychgate.zuul.servlet;

import java.security.Principal;
import java.util.Collection;
import javax.servlet.AsyncContext;
import javax.servlet.DispatcherType;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletContext;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import javax.servlet.http.HttpUpgradeHandler;
import javax.servlet.http.Part;
import org.jspecify.annotations.Nullable;

/**
 * The methods of a servlet request that need a servlet container. These methods return nothing, or throw an exception.
 */
@SuppressWarnings("InlineMeSuggester") // Deprecated methods of the servlet API
abstract class RefusedRequest implements HttpServletRequest {
    private static UnsupportedOperationException refused(String method) {
        return new UnsupportedOperationException(method
                + " needs a servlet container, but the gateway has none; see \"Refused filters\" in docs/zuul.md");
    }

    @Override
    public String getContextPath() {
        return "";
    }

    @Override
    public String getServletPath() {
        return "";
    }

    @Override
    public @Nullable String getPathTranslated() {
        return null;
    }

    @Override
    public @Nullable String getAuthType() {
        return null;
    }

    @Override
    public @Nullable String getRemoteUser() {
        return null;
    }

    @Override
    public @Nullable Principal getUserPrincipal() {
        return null;
    }

    @Override
    public boolean isUserInRole(String role) {
        return false;
    }

    @Override
    public @Nullable String getRequestedSessionId() {
        return null;
    }

    @Override
    public boolean isRequestedSessionIdValid() {
        return false;
    }

    @Override
    public boolean isRequestedSessionIdFromCookie() {
        return false;
    }

    @Override
    public boolean isRequestedSessionIdFromURL() {
        return false;
    }

    @Deprecated
    @Override
    public boolean isRequestedSessionIdFromUrl() {
        return false;
    }

    /** Returns 0, because the gateway does not expose the port of the client to filters. */
    @Override
    public int getRemotePort() {
        return 0;
    }

    @Override
    public String getLocalName() {
        return getServerName();
    }

    @Override
    public String getLocalAddr() {
        return getServerName();
    }

    @Override
    public int getLocalPort() {
        return getServerPort();
    }

    @Override
    public boolean isAsyncStarted() {
        return false;
    }

    @Override
    public boolean isAsyncSupported() {
        return false;
    }

    @Override
    public DispatcherType getDispatcherType() {
        return DispatcherType.REQUEST;
    }

    @Override
    public @Nullable HttpSession getSession(boolean create) {
        if (create) {
            throw refused("getSession");
        }
        return null;
    }

    @Override
    public HttpSession getSession() {
        throw refused("getSession");
    }

    @Override
    public String changeSessionId() {
        throw refused("changeSessionId");
    }

    @Override
    public boolean authenticate(HttpServletResponse response) {
        throw refused("authenticate");
    }

    @Override
    public void login(String user, String password) {
        throw refused("login");
    }

    @Override
    public void logout() {
        throw refused("logout");
    }

    @Override
    public Collection<Part> getParts() {
        throw refused("getParts");
    }

    @Override
    public Part getPart(String name) {
        throw refused("getPart");
    }

    @Override
    public <T extends HttpUpgradeHandler> T upgrade(Class<T> handler) {
        throw refused("upgrade");
    }

    @Override
    public RequestDispatcher getRequestDispatcher(String path) {
        throw refused("getRequestDispatcher");
    }

    @Deprecated
    @Override
    public String getRealPath(String path) {
        throw refused("getRealPath");
    }

    @Override
    public ServletContext getServletContext() {
        throw refused("getServletContext");
    }

    @Override
    public AsyncContext startAsync() {
        throw refused("startAsync");
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        throw refused("startAsync");
    }

    @Override
    public AsyncContext getAsyncContext() {
        throw refused("getAsyncContext");
    }
}
