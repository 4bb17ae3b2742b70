"""The JMeter plans, their goals, and the evaluation of JMeter's results. Standard library only."""
