"""Faulty clients, faulty origins, and the well-behaved ones between them; the scenario ``chaos`` starts each as a process."""
