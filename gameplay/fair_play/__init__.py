"""Fair play at tables: patterns in play and the devices pages were opened on."""
