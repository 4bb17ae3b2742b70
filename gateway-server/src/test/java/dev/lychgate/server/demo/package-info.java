@NullMarked
package dev.lychgate.server.demo;

import org.jspecify.annotations.NullMarked;
