/**
 * The extension {@code oidc}: logs users in with OpenID Connect. {@link dev.lychgate.oidc.OidcAuthenticator} receives a
 * request. It accepts the session in the cookies of the request, redirects the browser to the provider, or processes the
 * response of the provider. Event loops only read sessions. All other work runs on one thread of the extension, which owns
 * the state of the package; calls to the provider end on that thread.
 */
@NullMarked
package dev.lychgate.oidc;

import org.jspecify.annotations.NullMarked;
