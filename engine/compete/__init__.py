"""The arithmetic of competition: plain records in, plain records out, nothing stored."""
