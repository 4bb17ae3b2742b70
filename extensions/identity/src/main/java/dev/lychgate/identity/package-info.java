/**
 * The extension {@code identity}: verifies JSON Web Tokens. {@link dev.lychgate.identity.JwtFilter} receives a request
 * with a token. It lets the request continue with header fields that contain claims, or responds with 401.
 */
@NullMarked
package dev.lychgate.identity;

import org.jspecify.annotations.NullMarked;
