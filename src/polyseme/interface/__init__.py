"""The public functions of polyseme: what a command does, in Python, with the same defaults.

A function takes what people have (paths, dictionaries, data frames, names of data sets) and returns a value. Commands
read their arguments, call the function, and print.
"""
