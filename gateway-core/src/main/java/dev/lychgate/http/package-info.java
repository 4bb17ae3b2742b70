/**
 * HTTP values and rules: heads, framing, hop-by-hop fields, forwarding fields, the normal form of paths. Depends on no
 * channel and no stage of the request path.
 */
@NullMarked
package dev.lychgate.http;

import org.jspecify.annotations.NullMarked;
