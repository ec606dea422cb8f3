"""What people settle among themselves at the board: seats, resigning, offers, taking back. Pure."""
