"""The JMeter plans, what they are to prove, and what is made of what JMeter saw. Standard library only."""
