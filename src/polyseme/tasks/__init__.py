"""The tasks of the field, a module a protocol."""
