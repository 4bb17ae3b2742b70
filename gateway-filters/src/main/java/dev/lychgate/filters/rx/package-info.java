/**
 * Asynchronous filters with RxJava 3. In place of a stage, a filter returns a {@link io.reactivex.rxjava3.core.Single},
 * a {@link io.reactivex.rxjava3.core.Maybe} or a {@link io.reactivex.rxjava3.core.Completable}. The gateway subscribes
 * on the event loop, one time per exchange. It disposes of the subscription when the exchange no longer needs the
 * result.
 */
@NullMarked
package dev.lychgate.filters.rx;

import org.jspecify.annotations.NullMarked;
