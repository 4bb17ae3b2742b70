/**
 * HTTP values and rules: heads, framing, hop-by-hop fields, forwarding fields, the normal form of paths. The package
 * depends on no channel and on no stage of the request path.
 */
@NullMarked
package dev.lychgate.http;

import org.jspecify.annotations.NullMarked;
