"""Collisions and near misses of a cell, on models of their own."""

from telecell.watch.contacts import Contact, find_contacts

__all__ = ["Contact", "find_contacts"]
