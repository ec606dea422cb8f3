"""The program: the command line, and how settings become a running board. Everything may be known here."""
