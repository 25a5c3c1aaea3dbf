"""A run or an answer to show to other people: picture, words and data; and what other people have shared."""
