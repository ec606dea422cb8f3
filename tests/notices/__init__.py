"""Notices by Web Push, to a push service of the tests' own."""
