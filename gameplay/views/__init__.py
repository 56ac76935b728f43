"""Pages of gameplay, one module for each part of it."""
