"""Score sheets of tables played face to face: what they say, what a phone counts with, files, codes and photographs."""
