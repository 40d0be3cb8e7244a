"""Statistics of games that share deals: intervals, ratings, win shares of pairs, tests."""
