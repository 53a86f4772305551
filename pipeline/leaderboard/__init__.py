"""The leaderboard: runs measured, told apart, and shown on a page, in Markdown and as a picture."""
