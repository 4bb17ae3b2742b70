"""Origins that fail on command, load by timetable, and its evaluation: for scenarios about resilience."""
