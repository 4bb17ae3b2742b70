"""What gw-lb makes of what ab and the flight recorder saw. Standard library only."""
