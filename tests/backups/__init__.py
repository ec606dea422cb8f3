"""Tests of `controller.backups`."""
