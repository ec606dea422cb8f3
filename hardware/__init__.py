"""Board profiles and everything that is made from them."""
