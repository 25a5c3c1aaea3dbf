"""What is kept on disk: runs, traced graphs, refined answers, and what may be thrown away."""
