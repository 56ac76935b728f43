"""Channels: where a message can go outside this site, one folder each (docs/channels.md)."""
