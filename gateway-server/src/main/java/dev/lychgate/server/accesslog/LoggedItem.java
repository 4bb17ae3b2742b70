package dev.lychgate.server.accesslog;

/** An exchange or a change that the access log writes as one line. */
sealed interface LoggedItem permits AccessRecord, LoggedChange {}
