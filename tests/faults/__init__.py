"""What happens when something breaks: one module for each kind of fault, named in the README's table of faults."""
