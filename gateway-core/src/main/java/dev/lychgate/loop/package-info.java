/**
 * What an event loop lends to everything that lives on it: its clock, its deadlines and its random numbers. Commons:
 * knows no station.
 */
@NullMarked
package dev.lychgate.loop;

import org.jspecify.annotations.NullMarked;
