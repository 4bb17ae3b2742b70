@NullMarked
package dev.lychgate.server;

import org.jspecify.annotations.NullMarked;
