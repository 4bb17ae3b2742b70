/**
 * Compares the decisions of two generations on copies of live requests, without effects on these requests. Event loops
 * offer the heads of requests. One thread runs copies of these requests through the request filters and the routes of
 * both generations, which are built separately for this purpose.
 */
@NullMarked
package dev.lychgate.server.shadow;

import org.jspecify.annotations.NullMarked;
