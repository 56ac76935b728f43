"""Score sheets of tables played face to face: rows, scoring, files, codes and photographs."""
