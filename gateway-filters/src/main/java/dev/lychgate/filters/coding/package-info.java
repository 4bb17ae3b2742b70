/**
 * Content codings: incremental encoders and decoders for gzip, deflate, br and zstd, and their negotiation.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1">RFC 9110, 8.4.1 Content Codings</a>
 */
@NullMarked
package dev.lychgate.filters.coding;

import org.jspecify.annotations.NullMarked;
