"""Statistics of league results: records, runs, averages, meetings."""
