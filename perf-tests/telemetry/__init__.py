"""Receivers of metrics, spans and access logs that fail on command, and checks of the received data."""
