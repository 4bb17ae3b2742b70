package com.netflix.zuul;

import org.jspecify.annotations.Nullable;

/** The result of a run of a filter, with its value or its exception. */
public final class ZuulFilterResult {
    private @Nullable Object result;
    private @Nullable Throwable exception;
    private ExecutionStatus status;

    public ZuulFilterResult() {
        this(ExecutionStatus.DISABLED);
    }

    public ZuulFilterResult(ExecutionStatus status) {
        this(null, status);
    }

    public ZuulFilterResult(@Nullable Object result, ExecutionStatus status) {
        this.result = result;
        this.status = status;
    }

    public @Nullable Object getResult() {
        return result;
    }

    public void setResult(@Nullable Object value) {
        result = value;
    }

    public ExecutionStatus getStatus() {
        return status;
    }

    public void setStatus(ExecutionStatus value) {
        status = value;
    }

    public @Nullable Throwable getException() {
        return exception;
    }

    public void setException(@Nullable Throwable thrown) {
        exception = thrown;
    }
}
