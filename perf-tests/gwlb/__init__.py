"""Evaluation of ab and flight recorder results for gw-lb. Standard library only."""
