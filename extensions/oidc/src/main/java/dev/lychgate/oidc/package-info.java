/**
 * The extension {@code oidc}: logs users in with OpenID Connect. {@link dev.lychgate.oidc.OidcAuthenticator} receives a
 * request. It accepts the session in the cookies of the request, redirects the browser to the provider, or processes
 * the response of the provider. Event loops only read sessions. All other work runs on one thread of the extension.
 * This thread owns the state of the package, and handles the results of calls to the provider.
 */
@NullMarked
package dev.lychgate.oidc;

import org.jspecify.annotations.NullMarked;
