"""How deep an assembled board may lie: the field that its sensors see and the light that its pixels give."""
