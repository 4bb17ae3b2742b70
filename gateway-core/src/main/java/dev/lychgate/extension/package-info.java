/**
 * The API of extensions: optional capabilities with third-party libraries, each in a jar with a separate class loader.
 * An extension declares the keys of its section, and the filters and stores that it contributes; {@code gateway-server}
 * finds and opens extensions.
 */
@NullMarked
package dev.lychgate.extension;

import org.jspecify.annotations.NullMarked;
