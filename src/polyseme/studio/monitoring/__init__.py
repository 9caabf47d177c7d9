"""What a manager sees of a study in progress."""
