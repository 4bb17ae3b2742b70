/**
 * The extension {@code identity}: authenticators for requests. An authenticator receives a request with credentials. It
 * accepts them and returns an identity, or refuses the request.
 */
@NullMarked
package dev.lychgate.identity;

import org.jspecify.annotations.NullMarked;
