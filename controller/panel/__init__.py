"""The service as the panel sees it: what `web_panel.backend` asks for, answered."""
