/**
 * Runs filters that were written for Zuul 1 or Zuul 2. Input: the classes of the filter directory that extend a class
 * of Zuul. Output: filters of the gateway, each of which runs a filter of Zuul.
 */
@NullMarked
package dev.lychgate.zuul;

import org.jspecify.annotations.NullMarked;
