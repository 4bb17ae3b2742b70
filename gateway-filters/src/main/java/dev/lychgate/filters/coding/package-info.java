/**
 * Content codings: gzip, deflate, br and zstd, done and undone piece by piece, and which of them a client takes.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1">RFC 9110, 8.4.1 Content Codings</a>
 */
@NullMarked
package dev.lychgate.filters.coding;

import org.jspecify.annotations.NullMarked;
