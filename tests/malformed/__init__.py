"""Requests that are no requests: made from the grammar of RFC 9112 by breaking it, and sent in every awkward way."""
