"""Rules a table can be played by: the editor, option texts, and differences between versions."""
