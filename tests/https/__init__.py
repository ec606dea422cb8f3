"""The panel by https: certificates, phones that trust them, and a way over from http."""
