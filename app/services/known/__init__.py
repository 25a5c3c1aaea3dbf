"""What is known without asking a child: answers of earlier children, runs, and predictions from both."""
