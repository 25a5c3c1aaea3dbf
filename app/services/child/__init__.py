"""The child process: how it is started, heard, watched and ended."""
