/**
 * Compares the decisions of two generations on copies of live requests, without effects. Event loops offer the heads of requests;
 * one thread runs them through the request filters and the routes of both generations, which have a build of their own.
 */
@NullMarked
package dev.lychgate.server.shadow;

import org.jspecify.annotations.NullMarked;
