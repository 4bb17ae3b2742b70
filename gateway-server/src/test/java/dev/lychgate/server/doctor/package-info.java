@NullMarked
package dev.lychgate.server.doctor;

import org.jspecify.annotations.NullMarked;
