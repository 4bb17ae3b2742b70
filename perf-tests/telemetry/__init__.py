"""Receivers of metrics, spans and access logs that fail on command, and what is held against what they got."""
