"""What the results of leagues come to over time: records, streaks, averages, meetings."""
