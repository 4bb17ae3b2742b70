/**
 * Content codings: encoders and decoders for gzip, deflate, br and zstd, which process a body chunk by chunk, and the
 * negotiation of the coding.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1">RFC 9110, 8.4.1 Content Codings</a>
 */
@NullMarked
package dev.lychgate.filters.coding;

import org.jspecify.annotations.NullMarked;
