"""Origins that fail on command, load that follows a timetable, and what becomes of it: for scenarios about resilience."""
