"""Copies of what an owner would miss: made after an evening, seven kept, and put back whole or not at all."""
