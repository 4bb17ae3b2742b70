"""Faulty clients, faulty origins and the well-behaved ones: the processes of the scenario ``chaos``."""
