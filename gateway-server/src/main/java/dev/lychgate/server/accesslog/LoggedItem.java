package dev.lychgate.server.accesslog;

/** An exchange or a change, for which the access log has a line. */
sealed interface LoggedItem permits AccessRecord, LoggedChange {}
