"""Games on disk: the database, recordings, and games as text."""
