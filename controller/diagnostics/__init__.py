"""What is wrong with a built board, and how steady its sensors are."""
