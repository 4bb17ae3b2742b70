/**
 * The extension {@code identity}: verifies JSON Web Tokens. A request with a token arrives in {@link
 * dev.lychgate.identity.JwtFilter}; the request with fields made of the claims leaves, or a 401.
 */
@NullMarked
package dev.lychgate.identity;

import org.jspecify.annotations.NullMarked;
