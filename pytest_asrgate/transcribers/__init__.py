"""Speech engines behind one small Protocol; native ones run in a child process."""
