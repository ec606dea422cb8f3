"""The hand that plays on a simulated board what is tapped."""
