"""The circuit boards, one file each, and the catalogue that names them."""
