"""What a builder reads that follows from a board's profile: bill of materials, wiring drawings, pages of the manual."""
