package dev.lychgate.server.admin;

/**
 * Who asks.
 *
 * @param address where from, with the port
 * @param proof by what they were let in: {@code token}, {@code certificate CN=…}, or {@code nothing} where nothing is asked
 */
record Caller(String address, String proof) {}
