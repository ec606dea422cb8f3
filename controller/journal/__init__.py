"""Games on disk: the database, recordings, and games as text. Must not know devices, lights or watchers."""
