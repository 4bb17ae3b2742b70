/**
 * The store of a fleet in PostgreSQL. Input: operations of a {@link dev.lychgate.fleet.FleetStore}. Output: statements
 * over one connection, which also receives the notifications of new heads. All code that uses the connection runs on
 * one thread of the store.
 */
@NullMarked
package dev.lychgate.postgresql;

import org.jspecify.annotations.NullMarked;
