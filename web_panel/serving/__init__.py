"""How the panel is served: lines, limits, turns, TLS, scripts. It knows no game, no seat and no page."""
