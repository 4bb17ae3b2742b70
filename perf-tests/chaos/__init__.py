"""Processes of the scenario ``chaos``: faulty clients, faulty origins and well-behaved ones."""
