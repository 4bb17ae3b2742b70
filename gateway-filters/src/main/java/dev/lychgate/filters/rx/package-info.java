/**
 * Asynchronous filters with RxJava 3: a filter returns a {@link io.reactivex.rxjava3.core.Single}, a
 * {@link io.reactivex.rxjava3.core.Maybe} or a {@link io.reactivex.rxjava3.core.Completable} instead of a stage. The gateway
 * subscribes on the event loop, once per exchange, and disposes of the subscription when the exchange no longer needs it.
 */
@NullMarked
package dev.lychgate.filters.rx;

import org.jspecify.annotations.NullMarked;
