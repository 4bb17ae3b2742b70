/**
 * Station <em>origin</em>: one connection to one endpoint. A request head arrives here, is written, and its answer is
 * read and told to a {@link dev.lychgate.origin.ResponseListener}. Whether the connection may carry another request is
 * decided here and nowhere else ({@link dev.lychgate.origin.Reuse}). Nobody comes next: this is the far end of the way.
 */
@NullMarked
package dev.lychgate.origin;

import org.jspecify.annotations.NullMarked;
